import { readFileSync } from 'node:fs';
import { UsageError, type Command } from './command.js';
import { exportCommand } from './export-command.js';
import { importCommand } from './import-command.js';
import { relayCommand } from './relay-command.js';
import { sumCommand } from './sum-command.js';

const commands: Readonly<Record<string, Command>> = {
  export: exportCommand,
  import: importCommand,
  relay: relayCommand,
  sum: sumCommand,
};

function usage(): string {
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(10)}${summary}`,
  );
  return [
    'Usage: private-moments COMMAND [OPTIONS]',
    '',
    ...lines,
    '',
    'private-moments COMMAND --help lists the options; --version prints the version.',
  ].join('\n');
}

/** As npm has it: this file is bundled into dist/, beside which package.json lies. */
function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === '--version') {
    console.log(version());
    return;
  }
  if (name === undefined || name === '--help' || name === 'help') {
    console.log(usage());
    return;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`there is no command ${name}`);
  if (args.includes('--help')) {
    console.log(command.help);
    return;
  }
  try {
    await command.run(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(
      `${error.message}\nprivate-moments ${name} --help lists what can be given`,
    );
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`private-moments: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
