import { OwnWorker } from '../../elements/src/base/own-worker.js';
import type { Question, Reply, Round, Sites } from './consortium-protocol.js';

type Value = Sites | Round | undefined;

interface Waiting {
  resolve: (value: Value) => void;
  reject: (reason: Error) => void;
}

/** Ten sites and an analyst, at work in a worker. */
export class Consortium {
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  readonly #worker = new OwnWorker<Question, Reply>(
    () => new Worker(new URL('./consortium-worker.js', import.meta.url), { type: 'module' }),
    (reply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('error' in reply) waiting?.reject(new Error(reply.error));
      else waiting?.resolve(reply.value);
    },
    (reason) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(reason));
      this.#waiting.clear();
    },
  );

  /** @param folder the address of study.json and site-01.csv to site-10.csv */
  async open(folder: string): Promise<Sites> {
    return (await this.#ask({
      type: 'open',
      folder: new URL(folder, document.baseURI).href,
    })) as Sites;
  }

  /**
   * Makes all releases again.
   * @param arrivals whether to learn from one site, two, and so on, not only from all
   * @returns undefined if another round was begun meanwhile
   */
  async round(epsilon: number, arrivals: boolean): Promise<Round | undefined> {
    return (await this.#ask({ type: 'round', epsilon, arrivals })) as Round | undefined;
  }

  /** Drops what is being done. */
  end(): void {
    this.#worker.end();
    this.#waiting.clear();
  }

  #ask(question: DistributiveOmit<Question, 'id'>): Promise<Value> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.post({ ...question, id });
    });
  }
}

type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;
