import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { createLedger, type Budget, type DataSet, type Ledger } from 'private-moments';
import { fileStorage } from 'private-moments/node';
import { plural, strength } from 'private-moments/words';
import { requireFolder } from '../../../command/src/output.js';

export interface LedgerFile {
  path: string;
  ledger: Ledger;
}

/** The ledger's file: the one that was named, or this user's. */
export function ledgerPath(named: string | undefined): string {
  if (named !== undefined) return resolve(named);
  const { XDG_STATE_HOME: state, LOCALAPPDATA: local } = process.env;
  const home =
    state !== undefined && isAbsolute(state)
      ? state
      : (local ?? join(homedir(), '.local', 'state'));
  return join(home, 'private-moments', 'ledger.json');
}

/** Opens the ledger to write in it. @throws PrivateMomentsError `output-unwritable` */
export async function openLedger(named: string | undefined): Promise<LedgerFile> {
  const path = ledgerPath(named);
  // Like the data, the ledger is nobody else's: it holds the secret of their fingerprints.
  if (named === undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  else await requireFolder('--ledger', path);
  return { path, ledger: createLedger(fileStorage(path)) };
}

/** Opens the ledger to read it; undefined if nothing has been recorded. */
export function findLedger(named: string | undefined): LedgerFile | undefined {
  const path = ledgerPath(named);
  return existsSync(path) ? { path, ledger: createLedger(fileStorage(path)) } : undefined;
}

/** "2 releases of these data, together ε = 2, δ = 2 × 10⁻⁶" */
export function spentInWords({ entries, spent }: DataSet): string {
  const releases = `${plural(entries.length, 'release')} of these data`;
  return spent === null
    ? `${releases}, whose costs cannot be added up: their units or neighbours differ`
    : `${releases}, together ${strength(spent)}`;
}

export function budgetInWords(budget: Budget | null): string {
  return budget === null
    ? 'no budget is set, so nothing is refused'
    : `the budget is ${strength(budget)}`;
}
