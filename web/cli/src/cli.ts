#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runProgram } from 'private-moments/internal';
import { help, loadCommand } from './command.js';

/** This file is bundled into dist/, and package.json is in the folder above. */
const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

process.exitCode = await runProgram(
  'private-moments',
  version,
  { help, find: (name) => loadCommand(name, version) },
  process.argv.slice(2),
);
