#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runProgram } from 'private-moments/internal';
import { commands } from './command.js';

const help = `Usage: private-moments-scale COMMAND [OPTIONS]

  export    write releases as rows of a table, for a database to sum
  import    turn the result of a database query into a sum
  sum       sum exported releases with DuckDB, on this machine

private-moments-scale COMMAND --help lists the options; --version prints the version.`;

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

process.exitCode = await runProgram(
  'private-moments-scale',
  version,
  {
    help,
    find: (name) => Promise.resolve(Object.hasOwn(commands, name) ? commands[name] : undefined),
  },
  process.argv.slice(2),
);
