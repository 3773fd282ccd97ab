import type { Command } from 'private-moments/internal';
import { relayCommand } from './relay-command.js';

/** The commands that this package adds to `private-moments`. */
export const commands: Readonly<Record<string, Command>> = { relay: relayCommand };
