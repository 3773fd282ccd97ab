import { parseRelease } from 'private-moments';
import type { Budget, Ledger, LedgerEntry, Release, Spent, Standing, Study } from 'private-moments';
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { loadRelease } from '../session/saved-releases.js';
import { ledgerSummary, timeOf } from '../session/ledger-words.js';

/** The entry of a release, and the budget of its data set. */
export interface LedgerCost {
  entry: LedgerEntry | undefined;
  /** Spent by all releases of the data set together. */
  spent: Spent | null;
  budget: Budget | null;
}

/** An attempt that made no release. */
export interface FailedAttempt {
  /** Why it failed; undefined if it was stopped. */
  problem: string | undefined;
  /** The id of its entry in the ledger, if one was written. */
  entryId: string | undefined;
  /** The entry, if it still counts; `unknown` if the ledger cannot be read. */
  entry: LedgerEntry | 'unknown' | undefined;
}

/** A release of the ledger that this browser still has. */
interface Earlier {
  entry: LedgerEntry;
  release: Release;
}

/** What `pm-participate` last read from the ledger. */
export class LedgerSnapshot {
  /** All entries that count. */
  entries: LedgerEntry[] = [];
  /** How many data sets they belong to. */
  dataSets = 0;
  /** The last release for the study, if this browser still has it. */
  earlier: Earlier | undefined;
  /** Whether the ledger has changed since it was read. */
  isStale = false;

  readonly #host: Host;
  /** The last release for each study, by its id. */
  #latest = new Map<string, Earlier>();
  #turn = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Reads the ledger again. If two readings overlap, the later one counts. */
  async read(study: Study | undefined): Promise<void> {
    const turn = ++this.#turn;
    const sets = await this.#host.ledger.dataSets().catch(() => {
      // Reading the file reports what is wrong with the ledger.
      return [];
    });
    const entries = sets.flatMap((set) => set.entries).sort((a, b) => a.number - b.number);
    const last = new Map(entries.map((entry) => [entry.study.id, entry]));
    const latest = new Map<string, Earlier>();
    for (const [id, entry] of last) {
      const release = entry.release == null ? undefined : await readSaved(entry.release);
      if (release !== undefined) latest.set(id, { entry, release });
    }
    if (turn !== this.#turn) return;
    this.dataSets = sets.length;
    this.entries = entries;
    this.#latest = latest;
    this.about(study);
    this.#host.requestUpdate();
  }

  /** Takes up another study, with what was last read. */
  about(study: Study | undefined): void {
    this.earlier = study && this.#latest.get(study.id);
  }

  /** Sets the element's default budget in a ledger that never had one. */
  async setDefaultBudget(): Promise<void> {
    const { budgetEpsilon, budgetDelta, ledger } = this.#host;
    if (budgetEpsilon === undefined || budgetDelta === undefined) return;
    if ((await ledger.history()).some(({ what }) => what === 'budget')) return;
    await ledger.budget({ epsilon: budgetEpsilon, delta: budgetDelta });
  }

  /** Looks up whether the entry of a failed attempt still counts. */
  async failedAttempt({ problem, entryId }: Omit<FailedAttempt, 'entry'>): Promise<FailedAttempt> {
    if (entryId === undefined) return { problem, entryId, entry: undefined };
    const isIts = ({ id, removed }: LedgerEntry): boolean =>
      id === entryId && removed === undefined;
    const entry = await this.#host.ledger.entries().then(
      (entries) => entries.find(isIts),
      () => 'unknown' as const,
    );
    return { problem, entryId, entry };
  }

  /** The cost of a release. Empty if the ledger cannot be read: the release is shown all the same. */
  async costOf(isIts: (entry: LedgerEntry) => boolean): Promise<LedgerCost> {
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

/** A note on releases made in this browser before. */
export function releasedBefore(
  { entries, dataSets, earlier }: LedgerSnapshot,
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

/** Buttons for what to do instead of another release. */
export function alternatives(
  { earlier }: LedgerSnapshot,
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

/** What is left of the data set's budget, for the slot beside the guarantee. */
export function budgetLeft(
  { entry, spent, budget }: LedgerCost,
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

/** A release saved in this browser; undefined if it can no longer be read. */
async function readSaved(id: string): Promise<Release | undefined> {
  const text = await loadRelease(id);
  try {
    return text === undefined ? undefined : parseRelease(text);
  } catch {
    return undefined;
  }
}
