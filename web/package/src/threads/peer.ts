/**
 * Calls between two threads. Each end offers functions by name and calls those of the other; buffers
 * move instead of being copied where the caller says so. An error that is not this package's own
 * crosses without its message, which may quote data.
 */
import { fromWire, toWire, type WireError } from '../base/errors.js';

/** What an end offers. Each may return a promise, and `Moved` in place of its value. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- nothing is known of their arguments here
export type Offer = Record<string, ((...args: any[]) => unknown) | undefined>;

/** Names of the functions that `Theirs` has. */
type Name<Theirs> = keyof Theirs & string;

type Arguments<Theirs, N extends Name<Theirs>> = Theirs[N] extends (...args: infer A) => unknown
  ? A
  : never;

type Value<Theirs, N extends Name<Theirs>> = Theirs[N] extends (...args: never) => infer R
  ? Awaited<R>
  : never;

/** A value whose buffers and ports move to the other thread. */
export class Moved<T> {
  readonly value: T;
  readonly transfer: Transferable[];

  constructor(value: T, transfer: Transferable[]) {
    this.value = value;
    this.transfer = transfer;
  }
}

/** Without an id nobody waits for an answer. */
export type Message =
  | { call: string; id: number | null; args: readonly unknown[] }
  | { id: number; value: unknown }
  | { id: number; error: WireError };

/** What carries the messages: a thread, or a worker's port to its page. */
export interface Line {
  post(message: Message, transfer?: Transferable[]): void;
  listen(onMessage: (message: Message) => void, onFailure: (error: unknown) => void): void;
}

/** A line through one end of a channel between two workers. */
export function portLine(port: MessagePort): Line {
  return {
    post: (message, transfer = []) => {
      port.postMessage(message, transfer);
    },
    listen: (onMessage) => {
      port.onmessage = ({ data }: MessageEvent<Message>) => {
        onMessage(data);
      };
    },
  };
}

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** One end of a line. `Theirs` is what the other end offers. */
export class Peer<Theirs> {
  readonly #line: Line;
  readonly #waiting = new Map<number, Waiting>();
  #offer: Offer = {};
  #onFailure: (error: unknown) => void = () => undefined;
  #lastId = 0;

  /** @param onEnd called first when the other thread fails as a whole, whatever is offered then */
  constructor(line: Line, onEnd: () => void = () => undefined) {
    this.#line = line;
    line.listen(
      (message) => {
        this.#receive(message);
      },
      (error) => {
        onEnd();
        this.#onFailure(error);
        for (const { reject } of this.#waiting.values()) reject(error);
        this.#waiting.clear();
      },
    );
  }

  /**
   * Offers these functions from now on, in place of those before. Calls of others are ignored.
   * @param onFailure called when the other thread fails as a whole, before the calls that wait for it
   */
  offer(offer: Offer, onFailure: (error: unknown) => void = () => undefined): void {
    this.#offer = offer;
    this.#onFailure = onFailure;
  }

  /** Rejects with what the function threw, or with the reason why the arguments cannot be posted. */
  call<N extends Name<Theirs>>(
    name: N,
    args: Arguments<Theirs, N>,
    transfer?: Transferable[],
  ): Promise<Value<Theirs, N>> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#line.post({ call: name, id, args }, transfer);
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Calls without waiting for an end. */
  tell<N extends Name<Theirs>>(
    name: N,
    args: Arguments<Theirs, N>,
    transfer?: Transferable[],
  ): void {
    this.#line.post({ call: name, id: null, args }, transfer);
  }

  #receive(message: Message): void {
    if ('call' in message) {
      void this.#answer(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('error' in message) waiting?.reject(fromWire(message.error));
    else waiting?.resolve(message.value as never);
  }

  async #answer({ call, id, args }: Extract<Message, { call: string }>): Promise<void> {
    const offered = this.#offer[call];
    if (offered === undefined) return;
    try {
      const value = await offered(...args);
      if (id === null) return;
      if (value instanceof Moved) this.#line.post({ id, value: value.value }, value.transfer);
      else this.#line.post({ id, value });
    } catch (error) {
      if (id !== null) this.#line.post({ id, error: toWire(error) });
    }
  }
}
