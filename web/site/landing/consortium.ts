import { browserThread, Peer, type Message, type Thread } from 'private-moments/internal';
import type { ConsortiumCalls, Round, Sites } from './consortium-protocol.js';

/** Ten sites and an analyst, at work in a worker that starts with the first call. */
export class Consortium {
  #thread: Thread<Message, Message> | undefined;
  #worker: Peer<ConsortiumCalls> | undefined;

  /** @param folder the address of study.json and site-01.csv to site-10.csv */
  async open(folder: string): Promise<Sites> {
    return this.#started().call('open', [new URL(folder, document.baseURI).href]);
  }

  /**
   * Makes all releases again.
   * @param arrivals whether to learn from one site, two, and so on, not only from all
   * @returns undefined if another round was begun meanwhile
   */
  async round(epsilon: number, arrivals: boolean): Promise<Round | undefined> {
    return this.#started().call('round', [epsilon, arrivals]);
  }

  /** Drops what is being done. */
  end(): void {
    this.#thread?.end();
    this.#thread = this.#worker = undefined;
  }

  #started(): Peer<ConsortiumCalls> {
    if (this.#worker !== undefined) return this.#worker;
    this.#thread = browserThread<Message, Message>(
      'the worker',
      () => new Worker(new URL('./consortium-worker.js', import.meta.url), { type: 'module' }),
    );
    this.#worker = new Peer(this.#thread);
    return this.#worker;
  }
}
