import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A running program that answers each line of input with one line. */
export class Lines {
  #child;
  #answers;

  constructor(program, args = [], env = {}) {
    this.#child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask(line) {
    this.#child.stdin.write(`${line}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`${this.#child.spawnfile} ended at "${line}"`);
    return value;
  }

  close() {
    this.#child.stdin.end();
  }
}
