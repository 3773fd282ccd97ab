/** What a command line program does with its arguments. */
export interface Command {
  /** What `--help` prints. */
  help: string;
  /** @throws UsageError where the arguments are wrong, Error with what to do where it fails */
  run(args: readonly string[]): Promise<void>;
}

/** Several commands in one program, which its first argument names. */
export interface CommandGroup {
  /** What `--help` prints: the list of commands. */
  help: string;
  /** The command of that name, or undefined where there is none. */
  find(name: string): Promise<Command | undefined>;
}

/** Wrong arguments: the message names them, and the help is one line away. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** By its name: a package may have a copy of the class in its bundle. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'UsageError';
}

/**
 * Runs a program to its end; prints what went wrong.
 * @param name as people type it
 * @returns the exit status: 0, 1 where it failed, 2 where the arguments are wrong
 */
export async function runProgram(
  name: string,
  version: string,
  command: Command | CommandGroup,
  args: readonly string[],
): Promise<number> {
  try {
    const [first, ...rest] = args;
    if (first === '--version') console.log(version);
    else if (!('find' in command)) await runCommand(name, command, args);
    else if (first === undefined || first === '--help' || first === 'help') {
      console.log(command.help);
    } else {
      const found = await command.find(first);
      if (found === undefined) throw new UsageError(`there is no command ${first}`);
      await runCommand(`${name} ${first}`, found, rest);
    }
    return 0;
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    return isUsageError(error) ? 2 : 1;
  }
}

async function runCommand(title: string, command: Command, args: readonly string[]): Promise<void> {
  if (args.includes('--help')) {
    console.log(command.help);
    return;
  }
  try {
    await command.run(args);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    throw new UsageError(`${error.message}\n${title} --help lists the options`, { cause: error });
  }
}
