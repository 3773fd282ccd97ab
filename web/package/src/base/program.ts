import { didYouMean } from './check.js';
import { isPackageError } from './errors.js';
import { printable } from './visible.js';

/** What a command line program does with its arguments. */
export interface Command {
  /** What `--help` prints. */
  help: string;
  /**
   * @returns the exit status if it is not 0
   * @throws UsageError where the arguments are wrong, Error with what to do where it fails
   */
  run(args: readonly string[]): Promise<void> | Promise<number>;
}

/** Several commands in one program, which its first argument names. */
export interface CommandGroup {
  /** What `--help` prints: the list of commands. */
  help: string;
  /** The names of all commands, for hints. */
  names?: readonly string[];
  /** The command of that name, or undefined where there is none. */
  find(name: string): Promise<Command | undefined>;
}

/** Wrong arguments: the message names them, and the help is one line away. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** As a shell reports a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/** By its name: a package may have a copy of the class in its bundle. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'UsageError';
}

/**
 * Runs a program to its end; prints what went wrong.
 * @param name as people type it
 * @returns the exit status: 0, 1 where it failed, 2 where the arguments are wrong, 130 where it was
 * cancelled, or the command's own
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
    else if (!('find' in command)) return await runCommand(name, command, args);
    else if (first === undefined || asksForHelp(first)) {
      const about = rest[0] === undefined ? command : await commandOf(command, rest[0]);
      console.log(about.help);
    } else {
      return await runCommand(`${name} ${first}`, await commandOf(command, first), rest);
    }
    return 0;
  } catch (error) {
    console.error(printable(`${name}: ${descriptionOf(error)}`));
    if (isUsageError(error)) return 2;
    return isPackageError(error) && error.code === 'cancelled' ? INTERRUPTED : 1;
  }
}

function asksForHelp(argument: string): boolean {
  return ['--help', '-h', 'help'].includes(argument);
}

async function commandOf(group: CommandGroup, name: string): Promise<Command> {
  const found = await group.find(name);
  if (found !== undefined) return found;
  throw new UsageError(`there is no command ${name}${didYouMean(name, group.names ?? [])}`);
}

function descriptionOf(error: unknown): string {
  if (isPackageError(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

async function runCommand(
  title: string,
  command: Command,
  args: readonly string[],
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(command.help);
    return 0;
  }
  try {
    const status = await command.run(args);
    return typeof status === 'number' ? status : 0;
  } catch (error) {
    if (!isUsageError(error)) throw error;
    throw new UsageError(`${error.message}\n${title} --help lists the options`, { cause: error });
  }
}
