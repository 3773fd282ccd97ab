import type { DataSet, Ledger, LedgerEntry } from 'private-moments';
import { csvText, didYouMean, UsageError, type Command } from 'private-moments/internal';
import { capitalised, strength } from 'private-moments/words';
import { readArguments, requiredNumber } from '../../../command/src/arguments.js';
import { cancellable } from '../../../command/src/cancel.js';
import { checkFormat, FORMAT_HELP, FORMAT_OPTIONS, inFormat } from '../parts/format.js';
import { inFile, readText } from '../../../command/src/input.js';
import {
  budgetInWords,
  findLedger,
  ledgerPath,
  openLedger,
  spentInWords,
} from '../parts/ledger-file.js';
import { say, withOutput } from '../../../command/src/output.js';
import { paragraphs, table } from '../../../command/src/table.js';

const help = `private-moments ledger: what releases of your data have cost together.

  private-moments ledger                        list the releases, by data set
  private-moments ledger budget EPSILON DELTA   refuse what would cost a data set more; none: no budget
  private-moments ledger remove ENTRY --reason TEXT
                                                an entry that no longer counts, as it was never sent
  private-moments ledger export [--secret]      the ledger as JSON; with its secret, another machine can
                                                import it and recognises the same data
  private-moments ledger import FILE            add the entries of another ledger

  --ledger FILE        another ledger than yours in $XDG_STATE_HOME/private-moments, by default
                       ~/.local/state/private-moments/ledger.json
${FORMAT_HELP}

Example:
  private-moments ledger budget 3 1e-6`;

const options = {
  ...FORMAT_OPTIONS,
  ledger: { type: 'string' },
  reason: { type: 'string' },
  secret: { type: 'boolean' },
} as const;

const ACTIONS = ['list', 'budget', 'remove', 'export', 'import'] as const;

type Values = ReturnType<typeof readArguments<typeof options>>['values'];

export const ledgerCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, [
      '[ACTION]',
      '[EPSILON]',
      '[DELTA]',
    ]);
    const [name = 'list', ...rest] = positionals;
    const action = ACTIONS.find((one) => one === name);
    if (action === undefined) {
      throw new UsageError(`ledger has no action ${name}${didYouMean(name, ACTIONS)}`);
    }
    checkFormat(values);
    if (values.reason !== undefined && action !== 'remove') {
      throw new UsageError('--reason goes with remove');
    }
    if (values.secret !== undefined && action !== 'export') {
      throw new UsageError('--secret goes with export');
    }
    await actions[action](values, rest);
  },
};

const actions: Record<
  (typeof ACTIONS)[number],
  (values: Values, rest: readonly string[]) => Promise<void>
> = {
  async list(values, rest) {
    requireCount(rest, 0, 'list takes no arguments');
    const found = findLedger(values.ledger);
    const sets = (await found?.ledger.dataSets()) ?? [];
    const budget = (await found?.ledger.budget()) ?? null;
    const entries = (await found?.ledger.entries()) ?? [];
    const path = ledgerPath(values.ledger);
    await print(values, {
      text: () =>
        entries.length === 0
          ? `No releases are recorded in ${path}.\n`
          : paragraphs(
              ...sets.map(setInWords),
              removedInWords(entries),
              `${path}: ${budgetInWords(budget)}.`,
            ),
      json: () => ({ file: path, budget, dataSets: sets, entries }),
      csv: () => csvText(CSV_HEADER, csvRows(sets, entries)),
    });
  },

  async budget(values, [epsilon, delta, ...more]) {
    const isNone = epsilon === 'none' && delta === undefined;
    if (epsilon === undefined || more.length > 0 || (!isNone && delta === undefined)) {
      throw new UsageError('budget takes EPSILON and DELTA, or none');
    }
    const next = isNone
      ? null
      : { epsilon: requiredNumber('EPSILON', epsilon), delta: requiredNumber('DELTA', delta) };
    const { path, ledger } = await openLedger(values.ledger);
    await ledger.budget(next);
    say(`${path}: ${budgetInWords(next)}.`);
  },

  async remove(values, [id, ...more]) {
    if (id === undefined || more.length > 0) throw new UsageError('remove takes one ENTRY');
    if (values.reason === undefined) throw new UsageError('--reason TEXT is missing');
    const ledger = requireLedger(values.ledger);
    await ledger.remove(id, values.reason);
    say('Removed. The entry stays visible, with the reason, and no longer counts.');
  },

  async export(values, rest) {
    requireCount(rest, 0, 'export takes no arguments');
    const ledger = requireLedger(values.ledger);
    await withOutput(values, async (output) => {
      await output.write(`${await ledger.export({ secret: values.secret ?? false })}\n`);
    });
  },

  async import(values, [from, ...more]) {
    if (from === undefined || more.length > 0) throw new UsageError('import takes one FILE');
    const text = await cancellable((signal) => readText(from, signal));
    const { path, ledger } = await openLedger(values.ledger);
    const added = await ledger.import(text).catch((error: unknown) => {
      throw inFile(from, error);
    });
    say(`${path}: ${added} entries added.`);
  },
};

async function print(values: Values, forms: Parameters<typeof inFormat>[1]): Promise<void> {
  await withOutput(values, async (output) => {
    await output.write(inFormat(values, forms));
  });
}

function requireLedger(named: string | undefined): Ledger {
  const found = findLedger(named);
  if (found === undefined) throw new Error(`there is no ledger ${ledgerPath(named)}`);
  return found.ledger;
}

function requireCount(rest: readonly string[], count: number, message: string): void {
  if (rest.length !== count) throw new UsageError(message);
}

function setInWords(set: DataSet): string {
  const rows = set.entries.map(({ at, study, guarantee, file = '', dataSet = '', state, id }) => [
    at.slice(0, 16).replace('T', ' '),
    file,
    dataSet,
    study.title,
    strength(guarantee),
    state,
    id,
  ]);
  const header = ['UTC', 'file', 'data set', 'study', 'cost', 'state', 'entry'];
  return `${capitalised(spentInWords(set))}\n${table(header, rows)}`;
}

function removedInWords(entries: readonly LedgerEntry[]): string {
  const removed = entries.filter((entry) => entry.removed !== undefined);
  if (removed.length === 0) return '';
  const rows = removed.map(({ removed: why, study, id }) => [study.title, why?.reason ?? '', id]);
  return `Removed, and not counted\n${table(['study', 'reason', 'entry'], rows)}`;
}

const CSV_HEADER = [
  ...['data_set', 'entry', 'at', 'file', 'name', 'study', 'title', 'epsilon', 'delta', 'state'],
  ...['release', 'removed'],
];

/** One line for each entry; `data_set` is empty for those that were removed. */
function* csvRows(sets: readonly DataSet[], entries: readonly LedgerEntry[]) {
  for (const entry of entries) {
    const set = sets.findIndex((one) => one.entries.some(({ id }) => id === entry.id));
    yield [
      set < 0 ? '' : set + 1,
      ...[entry.id, entry.at, entry.file, entry.dataSet, entry.study.id, entry.study.title],
      ...[entry.guarantee.epsilon, entry.guarantee.delta, entry.state, entry.release],
      entry.removed?.reason,
    ];
  }
}
