import { createInterface, type Interface } from 'node:readline';
import { PrivateMomentsError } from 'private-moments';
import { printable } from 'private-moments/internal';

/** Questions on standard error, whose answers are lines of standard input. */
export class Questions {
  readonly #reader: Interface;
  readonly #lines: AsyncIterator<string>;
  readonly #signal: AbortSignal;

  constructor(input: NodeJS.ReadableStream, signal: AbortSignal) {
    this.#signal = signal;
    this.#reader = createInterface({ input, signal, terminal: false });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /**
   * Asks until there is an answer.
   * @param read undefined for what is no answer
   * @throws PrivateMomentsError `cancelled`, or `input-unreadable` where the input ends
   */
  async ask<T>(question: string, read: (answer: string) => T | undefined): Promise<T> {
    for (;;) {
      process.stderr.write(printable(`${question}: `));
      const line = await this.#lines.next();
      if (this.#signal.aborted) throw new PrivateMomentsError('cancelled', 'cancelled');
      if (line.done === true) {
        const message = `standard input ended at the question: ${question}`;
        throw new PrivateMomentsError('input-unreadable', message);
      }
      const answer = read(line.value.trim());
      if (answer !== undefined) return answer;
      process.stderr.write('This is not an answer. ');
    }
  }

  close(): void {
    this.#reader.close();
  }
}
