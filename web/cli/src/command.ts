import type { Command } from 'private-moments/internal';
import { missingPackage } from './parts/packages.js';

/** The commands of this package. Each is a file, which is loaded when it is called. */
const own: Readonly<Record<string, (version: string) => Promise<Command>>> = {
  study: async () => (await import('./commands/study.js')).studyCommand,
  forecast: async () => (await import('./commands/forecast.js')).forecastCommand,
  inspect: async () => (await import('./commands/inspect.js')).inspectCommand,
  privatize: async () => (await import('./commands/privatize.js')).privatizeCommand,
  ledger: async () => (await import('./commands/ledger.js')).ledgerCommand,
  verify: async () => (await import('./commands/verify.js')).verifyCommand,
  assemble: async () => (await import('./commands/assemble.js')).assembleCommand,
  pca: async () => (await import('./commands/pca.js')).pcaCommand,
  cca: async () => (await import('./commands/cca.js')).ccaCommand,
  'sparse-pca': async () => (await import('./commands/sparse-pca.js')).sparsePcaCommand,
  'sparse-cca': async () => (await import('./commands/sparse-cca.js')).sparseCcaCommand,
  lda: async () => (await import('./commands/lda.js')).ldaCommand,
  factors: async () => (await import('./commands/factors.js')).factorsCommand,
  'pls-correlation': async () =>
    (await import('./commands/pls-correlation.js')).plsCorrelationCommand,
  'pls-regression': async () => (await import('./commands/pls-regression.js')).plsRegressionCommand,
  ridge: async () => (await import('./commands/ridge.js')).ridgeCommand,
  synthesize: async () => (await import('./commands/synthesize.js')).synthesizeCommand,
  audit: async (version) => (await import('./commands/audit.js')).auditCommand(version),
  serve: async () => (await import('./commands/serve.js')).serveCommand,
};

/** The packages that other commands are in. */
const packages: Readonly<Record<string, string>> = {
  relay: 'private-moments-relay',
  export: 'private-moments-scale',
  import: 'private-moments-scale',
  sum: 'private-moments-scale',
};

export const COMMANDS: readonly string[] = [...Object.keys(own), ...Object.keys(packages)];

export const help = `Usage: private-moments COMMAND [OPTIONS]

Plan a study:
  study            check a study file, begin one, or print its CSV template
  forecast         the errors to expect, before any data are touched

Take part:
  inspect          count what a release would find in your data; releases nothing
  privatize        turn data into one release with noise, and record it in the ledger
  ledger           what releases of your data have cost together

Analyse:
  verify           check releases against their study, or a saved page against its hash
  assemble         sum releases: means, standard deviations, guarantee
  pca              principal components
  cca              canonical correlations
  sparse-pca       principal components of few columns
  sparse-cca       canonical correlations of few columns
  lda              linear discriminants of a category
  factors          factor analysis
  pls-correlation  partial least squares of two views
  pls-regression   partial least squares regression
  ridge            regression
  synthesize       draw synthetic rows

And:
  audit            attack a mechanism (package private-moments-research)
  serve            serve a built site on this computer

Commands of the package private-moments-relay:
  relay            run a mailbox for the sealed messages of federated sessions

Commands of the package private-moments-scale:
  export           write releases as rows of a table, for a database to sum
  import           turn the result of a database's query into a sum
  sum              sum exported releases with DuckDB, on this machine

private-moments COMMAND --help shows the options and an example; --version prints the version.
Exit status: 0 done, 1 failed, 2 wrong arguments, 3 checked and refuted (verify, audit), 130 cancelled.`;

/**
 * A command from this package or from the one that it is in; undefined where there is no such command.
 * @param version of this package; the packages of its commands have the same
 * @throws PrivateMomentsError `package-missing`
 */
export async function loadCommand(name: string, version: string): Promise<Command | undefined> {
  if (Object.hasOwn(own, name)) return own[name]?.(version);
  const packageName = Object.hasOwn(packages, name) ? packages[name] : undefined;
  if (packageName === undefined) return undefined;
  const { commands } = (await import(`${packageName}/command`).catch(async (cause: unknown) => {
    throw (await missingPackage(name, packageName, version, cause)) ?? cause;
  })) as { commands: Readonly<Record<string, Command>> };
  return commands[name];
}
