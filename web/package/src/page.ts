import { blobBytes, readFailed, type Bytes } from './bytes.js';
import { PrivateMomentsError } from './errors.js';
import type { Port } from './port.js';
import type { Asked, AskedFor, FromWorker, Piece, PostedSource } from './protocol.js';

/** What a worker asks of its page. `Outcome` is what its jobs end with. */
export class Page<Outcome> {
  readonly #port: Pick<Port<FromWorker<Outcome>, never>, 'post'>;
  readonly #slices = new Map<number, (bytes: ArrayBuffer | null) => void>();
  #takePiece: ((message: AskedFor) => void)[] = [];
  #takeCrew: ((ports: MessagePort[]) => void) | undefined;
  #go: (() => void) | undefined;

  constructor(port: Pick<Port<FromWorker<Outcome>, never>, 'post'>) {
    this.#port = port;
  }

  post(message: FromWorker<Outcome>, transfer?: Transferable[]): void {
    this.#port.post(message, transfer);
  }

  /** Hears what the page answers. */
  take(message: AskedFor): void {
    switch (message.type) {
      case 'crew':
        this.#takeCrew?.(message.ports);
        break;
      case 'go':
        this.#go?.();
        break;
      case 'piece':
      case 'no-piece':
        this.#takePiece.shift()?.(message);
        break;
      case 'slice':
        this.#slices.get(message.start)?.(message.bytes);
        this.#slices.delete(message.start);
    }
  }

  /** Workers that only read, each behind a port. */
  crew(count: number): Promise<MessagePort[]> {
    return new Promise((resolve) => {
      this.#takeCrew = resolve;
      this.post({ type: 'crew', count });
    });
  }

  /** Until the ledger has written down what is about to be made; it may never answer. */
  permission(asked: Asked): Promise<void> {
    return new Promise((resolve) => {
      this.#go = resolve;
      this.post({ type: 'ask', ...asked });
    });
  }

  /**
   * Data in the order they are asked for, by whichever worker. Of numbers the next piece is on its
   * way while one is looked at, so two are held at any time; and the buffer of what was looked at,
   * overwritten by then, goes back to the page to be filled again.
   * @param stopped nothing more is asked for then; what was asked for before still comes
   */
  async *pieces(
    stopped: () => boolean = () => false,
  ): AsyncGenerator<{ piece: Piece; rowsBefore: number }, void> {
    // A job that failed may have left a question without an answer.
    this.#takePiece = [];
    let spent: ArrayBuffer | null = null;
    const ask = (): Promise<AskedFor> =>
      new Promise((resolve) => {
        this.#takePiece.push(resolve);
        this.post({ type: 'next', spent }, spent === null ? [] : [spent]);
      });
    for (let next = ask(); ;) {
      const answer = await next;
      // The page knows better what went wrong.
      if (answer.type !== 'piece') throw readFailed();
      const { piece, rowsBefore } = answer;
      if (piece === null) return;
      const isNumbers = piece instanceof Float64Array;
      // A stream that is being read cannot be stopped before it has answered.
      const ahead = isNumbers && !stopped() ? ask() : undefined;
      yield { piece, rowsBefore };
      if (isNumbers) spent = piece.buffer as ArrayBuffer;
      if (ahead === undefined && stopped()) return;
      next = ahead ?? ask();
    }
  }

  bytesOf(source: PostedSource): Bytes {
    if (source.kind === 'blob') return blobBytes(source.blob);
    if (source.kind !== 'slices') {
      throw new PrivateMomentsError('internal', 'these data are no file');
    }
    return { size: source.size, read: (start, end) => this.#slice(start, end) };
  }

  async #slice(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await new Promise<ArrayBuffer | null>((resolve) => {
      this.#slices.set(start, resolve);
      this.post({ type: 'slice', start, end });
    });
    if (bytes === null) throw readFailed();
    return new Uint8Array(bytes);
  }
}
