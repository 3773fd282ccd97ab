/**
 * Calls between two threads. Each end offers functions by name and calls those of the other. Buffers
 * are moved instead of copied if the caller says so. Only errors of this package keep their message: the
 * message of any other may quote data.
 */
import { fromWire, isOfBrokenCore, toWire, type WireError } from '../base/errors.js';

/** The functions that an end offers. Each may return a promise, and `Moved` instead of a value. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the arguments differ from function to function
export type Offer = Record<string, ((...args: any[]) => unknown) | undefined>;

/** Names of the functions in `Theirs`. */
type Name<Theirs> = keyof Theirs & string;

type Arguments<Theirs, N extends Name<Theirs>> = Theirs[N] extends (...args: infer A) => unknown
  ? A
  : never;

type Value<Theirs, N extends Name<Theirs>> = Theirs[N] extends (...args: never) => infer R
  ? Awaited<R>
  : never;

/** A value whose buffers and ports are moved to the other thread. */
export class Moved<T> {
  readonly value: T;
  readonly transfer: Transferable[];

  constructor(value: T, transfer: Transferable[]) {
    this.value = value;
    this.transfer = transfer;
  }
}

/** A call with a null id gets no answer. */
export type Message =
  | { call: string; id: number | null; args: readonly unknown[] }
  | { id: number; value: unknown }
  | { id: number; error: WireError };

/** Carries messages between two threads. */
export interface Line {
  post(message: Message, transfer?: Transferable[]): void;
  listen(onMessage: (message: Message) => void, onFailure: (error: unknown) => void): void;
  /** For long work on a thread that has other things to do: lets it do them. Rejects once the work is not wanted. */
  pause?(): Promise<void>;
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
  readonly #onEnd: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #offer: Offer = {};
  #onFailure: (error: unknown) => void = () => undefined;
  #lastId = 0;
  #heard = 0;

  /**
   * @param onEnd called when the other thread fails as a whole, before the `onFailure` of the current offer, and when
   * it answers that its core may be broken
   */
  constructor(line: Line, onEnd: () => void = () => undefined) {
    this.#line = line;
    this.#onEnd = onEnd;
    line.listen(
      (message) => {
        this.#receive(message);
      },
      (error) => {
        this.fail(error);
      },
    );
  }

  /** How many messages have come from the other end. */
  get heard(): number {
    return this.#heard;
  }

  /** What happens when the other thread fails as a whole, or is taken to have failed. */
  fail(error: unknown): void {
    this.#onEnd();
    this.#onFailure(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /**
   * Offers these functions instead of the earlier ones. Calls of other functions are ignored.
   * @param onFailure called when the other thread fails as a whole, before pending calls reject
   */
  offer(offer: Offer, onFailure: (error: unknown) => void = () => undefined): void {
    this.#offer = offer;
    this.#onFailure = onFailure;
  }

  /**
   * Calls a function of the other end. Rejects with the error of the function, or with the reason why the
   * arguments cannot be posted.
   */
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

  /** Calls a function without waiting for an answer. */
  tell<N extends Name<Theirs>>(
    name: N,
    args: Arguments<Theirs, N>,
    transfer?: Transferable[],
  ): void {
    this.#line.post({ call: name, id: null, args }, transfer);
  }

  /** Await this often in long work. Resolves at once on a thread that has nothing else to do. */
  async pause(): Promise<void> {
    await this.#line.pause?.();
  }

  #receive(message: Message): void {
    this.#heard++;
    if ('call' in message) {
      void this.#answer(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('error' in message) {
      const error = fromWire(message.error);
      if (isOfBrokenCore(error)) this.#onEnd();
      waiting?.reject(error);
    } else waiting?.resolve(message.value as never);
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
