#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runProgram } from 'private-moments/internal';
import { relayCommand } from './relay-command.js';

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };
const args = process.argv.slice(2);

process.exitCode = await runProgram('private-moments-relay', version, relayCommand, args);
