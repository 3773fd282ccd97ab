import type { Progress } from 'private-moments';
import { count } from 'private-moments/words';

const CLEAR_LINE = '\r\u001b[2K';

/** One line about what is going on, on a terminal only. */
export class ProgressLine {
  readonly #isShown = process.stderr.isTTY;

  show(text: string): void {
    if (this.#isShown) process.stderr.write(CLEAR_LINE + text);
  }

  clear(): void {
    if (this.#isShown) process.stderr.write(CLEAR_LINE);
  }

  /** For the option `onProgress` of the package. */
  readonly rows = ({ rows, fraction }: Progress): void => {
    const share = fraction === null ? '' : `, ${Math.floor(100 * fraction)} %`;
    this.show(`${count(rows)} rows read${share}`);
  };
}
