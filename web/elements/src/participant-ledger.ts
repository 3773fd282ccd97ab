import { parseRelease } from 'private-moments';
import type { Budget, Ledger, LedgerEntry, Release, Spent, Standing, Study } from 'private-moments';
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { keptRelease } from './kept-releases.js';
import { ledgerSummary, timeOf } from './ledger-words.js';

/** What it costs, in the ledger. */
export interface Cost {
  entry: LedgerEntry | undefined;
  /** What it and the others of its data set have cost. */
  spent: Spent | null;
  budget: Budget | null;
}

/** A release that was tried and not made. */
export interface Unmade {
  /** Why; undefined where it was stopped. */
  problem: string | undefined;
  /** The id of the entry, where one was written. */
  written: string | undefined;
  /** It, where it counts all the same; `unknown` of a ledger that cannot be read. */
  entry: LedgerEntry | 'unknown' | undefined;
}

/** What the participant's room knows of the ledger. */
export class LedgerInSight {
  /** All that count. */
  entries: LedgerEntry[] = [];
  /** Of how many data sets they are. */
  dataSets = 0;
  /** The last release for the study, where it was kept. */
  earlier: { entry: LedgerEntry; release: Release } | undefined;
  /** Whether the ledger has changed since it was read. */
  isStale = false;

  readonly #host: Host;
  #turn = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Reads it again; of two readings the one begun last counts. */
  async read(study: Study | undefined): Promise<void> {
    const turn = ++this.#turn;
    const sets = await this.#host.ledger.dataSets().catch(() => {
      // Reading the file says what is wrong.
      return [];
    });
    const entries = sets.flatMap((set) => set.entries).sort((a, b) => a.number - b.number);
    const last = [...entries].reverse().find((entry) => entry.study.id === study?.id);
    const release = last?.release == null ? undefined : await readKept(last.release);
    if (turn !== this.#turn) return;
    this.dataSets = sets.length;
    this.entries = entries;
    this.earlier =
      last === undefined || release === undefined ? undefined : { entry: last, release };
    this.#host.requestUpdate();
  }

  /** The budget given to the element, where the ledger never had one. */
  async setDefaultBudget(): Promise<void> {
    const { budgetEpsilon, budgetDelta, ledger } = this.#host;
    if (budgetEpsilon === undefined || budgetDelta === undefined) return;
    if ((await ledger.history()).some(({ what }) => what === 'budget')) return;
    await ledger.budget({ epsilon: budgetEpsilon, delta: budgetDelta });
  }

  /** Whether what was tried in vain counts, as the ledger says now. */
  async unmade({ problem, written }: Omit<Unmade, 'entry'>): Promise<Unmade> {
    if (written === undefined) return { problem, written, entry: undefined };
    const isIts = ({ id, removed }: LedgerEntry): boolean =>
      id === written && removed === undefined;
    const entry = await this.#host.ledger.entries().then(
      (entries) => entries.find(isIts),
      () => 'unknown' as const,
    );
    return { problem, written, entry };
  }

  /** Of a ledger that cannot be read, nothing: what is shown was made all the same. */
  async costOf(isIts: (entry: LedgerEntry) => boolean): Promise<Cost> {
    const { ledger } = this.#host;
    const read = Promise.all([ledger.entries(), ledger.dataSets(), ledger.budget()]);
    const [all, sets, budget] = await read.catch((): [[], [], null] => [[], [], null]);
    const set = sets.find(({ entries }) => entries.some(isIts));
    return { entry: all.find(isIts), spent: set?.spent ?? null, budget };
  }
}

type Host = Pick<ReactiveControllerHost, 'requestUpdate'> & {
  ledger: Ledger;
  budgetEpsilon: number | undefined;
  budgetDelta: number | undefined;
};

/** What was released from this browser before. */
export function releasedBefore(
  { entries, dataSets, earlier }: LedgerInSight,
  onLedger: () => Promise<void>,
  onEarlier: () => Promise<void>,
): TemplateResult | typeof nothing {
  if (entries.length === 0) return nothing;
  return html`<p class="help note">
      In the ledger of this browser: ${ledgerSummary(entries.length, dataSets)}.
      <button class="link" type="button" @click=${onLedger}>Open ledger</button>
    </p>
    ${
      earlier === undefined
        ? nothing
        : html`<p class="help">
            The last release for this study was made on ${timeOf(earlier.entry.at)}.
            <button class="link" type="button" @click=${onEarlier}>Show it again</button>
          </p>`
    }`;
}

/** What to do in place of another release. */
export function instead(
  { earlier }: LedgerInSight,
  standing: Standing,
  onLedger: () => Promise<void>,
  onEarlier: () => Promise<void>,
): TemplateResult {
  const isOfThese = standing.entries.some(({ id }) => id === earlier?.entry.id);
  return html`<button class="button" type="button" @click=${onLedger}>Open ledger</button> ${
      isOfThese
        ? html`<button class="link" type="button" @click=${onEarlier}>
            Send an earlier release again
          </button>`
        : nothing
    }`;
}

/** Beside what the release tells: what it leaves of the budget of its data. */
export function budgetLeft(
  { entry, spent, budget }: Cost,
  onLedger: () => Promise<void>,
): TemplateResult | typeof nothing {
  if (entry === undefined) return nothing;
  return html`<div slot="budget" class="budget">
    <h3>Privacy budget of this data set</h3>
    ${
      spent === null
        ? nothing
        : html`<pm-budget-bar .spent=${spent} .budget=${budget}></pm-budget-bar>`
    }
    <p class="help">
      Written to the ledger in this browser on ${timeOf(entry.at)}, before the file could be saved.
      Entry
      ${
        entry.removed === undefined
          ? `${entry.number}.`
          : `${entry.number}, taken out on ${timeOf(entry.removed.at)}: it is not counted.`
      }
      <button class="link" type="button" @click=${onLedger}>Open ledger</button>
    </p>
  </div>`;
}

/** A release that was kept; undefined where it cannot be read any more. */
async function readKept(id: string): Promise<Release | undefined> {
  const text = await keptRelease(id);
  try {
    return text === undefined ? undefined : parseRelease(text);
  } catch {
    return undefined;
  }
}
