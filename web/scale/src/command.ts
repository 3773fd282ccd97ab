import type { Command } from 'private-moments/internal';
import { exportCommand } from './export-command.js';
import { importCommand } from './import-command.js';
import { sumCommand } from './sum-command.js';

/** The commands that this package adds to `private-moments`. */
export const commands: Readonly<Record<string, Command>> = {
  export: exportCommand,
  import: importCommand,
  sum: sumCommand,
};
