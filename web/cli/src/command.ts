import { PrivateMomentsError } from 'private-moments';
import type { Command } from 'private-moments/internal';

/** The package that each command is in. */
const packages: Readonly<Record<string, string>> = {
  relay: 'private-moments-relay',
  export: 'private-moments-scale',
  import: 'private-moments-scale',
  sum: 'private-moments-scale',
};

export const help = `Usage: private-moments COMMAND [OPTIONS]

Commands of the package private-moments-relay:
  relay     run a mailbox for the sealed messages of federated sessions

Commands of the package private-moments-scale:
  export    write releases as rows of a table, for a database to sum
  import    turn the result of a database's query into a sum
  sum       sum exported releases with DuckDB, on this machine

private-moments COMMAND --help lists the options; --version prints the version.`;

/**
 * A command from the package that it is in, or undefined where there is no such command.
 * @param version of this package; the packages of its commands have the same
 * @throws PrivateMomentsError `package-missing`
 */
export async function loadCommand(name: string, version: string): Promise<Command | undefined> {
  const packageName = Object.hasOwn(packages, name) ? packages[name] : undefined;
  if (packageName === undefined) return undefined;
  const { commands } = (await import(`${packageName}/command`).catch((cause: unknown) => {
    throw isMissing(packageName, cause) ? packageMissing(name, packageName, version, cause) : cause;
  })) as { commands: Readonly<Record<string, Command>> };
  return commands[name];
}

/** Whether it is the package itself that was not found, not a file in it or what it depends on. */
function isMissing(packageName: string, error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes(`package '${packageName}'`);
}

function packageMissing(
  name: string,
  packageName: string,
  version: string,
  cause: unknown,
): PrivateMomentsError {
  const message =
    `package-missing: the command ${name} is in the package ${packageName}, which is not installed. ` +
    `Install it with\n  npm install ${packageName}@${version}`;
  return new PrivateMomentsError('package-missing', message, {}, cause);
}
