#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runProgram } from 'private-moments/internal';
import { COMMANDS, help, loadCommand } from './command.js';

/** This file is bundled into dist/, and package.json is in the folder above. */
const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

// The reader of a pipe may have enough before the end, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runProgram(
  'private-moments',
  version,
  { help, names: COMMANDS, find: (name) => loadCommand(name, version) },
  process.argv.slice(2),
);

// One that was not read to its end would keep the program alive.
process.stdin.destroy();
