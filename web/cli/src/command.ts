/** One subcommand of `private-moments`. */
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** What `--help` prints. */
  help: string;
  /** @throws UsageError where the arguments are wrong, Error with what to do where it fails */
  run(args: readonly string[]): Promise<void>;
}

/** Wrong arguments: the message names them, and the help is one line away. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
