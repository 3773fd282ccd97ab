import type { Budget, DataSet, Ledger, LedgerEntry } from 'private-moments';
import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { PmBudgetBar, epsilonText } from '../figures/budget-bar.js';
import { numberIn, takeFiles } from '../controls/input-values.js';
import { describe } from '../base/failure.js';
import { probability } from 'private-moments/words';
import { loadRelease } from './saved-releases.js';
import { dayOf, entryWords, isUsedUp, timeOf } from './ledger-words.js';
import { notice, noticeStyles } from '../controls/notice.js';
import { save, releaseName } from '../base/save.js';
import { styles } from '../look/styles.js';

/** The trimmed text of a form's field. */
function fieldOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * Shows and edits a ledger: data sets with their releases, the budget, entries taken out with a reason,
 * and the whole ledger as a file. Needs `ledger`. Emits `pm-ledger-changed`.
 */
export class PmLedger extends LitElement {
  static readonly parts = {
    'pm-budget-bar': PmBudgetBar,
  };

  static override properties = {
    ledger: { attribute: false },
    sets: { state: true },
    entries: { state: true },
    budget: { state: true },
    removing: { state: true },
    error: { state: true },
    announcement: { state: true },
  };

  static override styles = [
    styles,
    noticeStyles,
    css`
      section + section {
        margin-top: 32px;
        padding-top: 24px;
        border-top: 1px solid var(--_line);
      }

      h3 + .help,
      form .help {
        margin-top: 4px;
      }

      pm-budget-bar {
        max-width: 440px;
        margin: 12px 0 16px;
      }

      .entries {
        margin-top: 12px;
      }

      .entries td {
        vertical-align: top;
      }

      .number {
        width: 32px;
        color: var(--_ink-3);
      }

      .promise,
      .does {
        white-space: nowrap;
      }

      .does .link + .link {
        margin-left: 16px;
      }

      .gone td {
        color: var(--_ink-3);
      }

      form {
        display: flex;
        flex-wrap: wrap;
        gap: 12px 16px;
        align-items: flex-end;
        margin-top: 16px;
      }

      label {
        display: grid;
        gap: 4px;
        font-size: 14px;
        line-height: 20px;
        font-weight: 600;
      }

      .input {
        width: 120px;
        text-align: right;
      }

      .reason {
        flex: 1 1 260px;
      }

      .reason .input {
        width: 100%;
        text-align: left;
      }

      .actions {
        margin-top: 16px;
      }

      .above {
        margin-top: 16px;
      }

      @media (max-width: 759px) {
        .entries,
        .entries tbody,
        .entries tr,
        .entries td {
          display: block;
        }

        .entries thead {
          display: none;
        }

        .entries tr {
          padding: 10px 0;
          border-bottom: 1px solid var(--_line);
        }

        .entries td {
          padding: 0;
          border: 0;
        }

        .entries .number {
          width: auto;
        }

        .entries .number::before {
          content: 'Entry ';
        }
      }
    `,
  ];

  declare ledger: Ledger | undefined;
  declare sets: DataSet[];
  declare entries: LedgerEntry[];
  declare budget: Budget | null;
  /** The entry that is about to be taken out. */
  declare removing: string;
  declare error: string;
  declare announcement: string;

  constructor() {
    super();
    this.ledger = undefined;
    this.sets = [];
    this.entries = [];
    this.budget = null;
    this.removing = '';
    this.error = '';
    this.announcement = '';
  }

  /** Reads the ledger again. */
  async refresh(): Promise<void> {
    const { ledger } = this;
    if (ledger === undefined) return;
    await this.#try(async () => {
      [this.sets, this.entries, this.budget] = await Promise.all([
        ledger.dataSets(),
        ledger.entries(),
        ledger.budget(),
      ]);
    });
  }

  protected override render(): TemplateResult {
    const removed = this.entries.filter((entry) => entry.removed !== undefined);
    return html`${
        this.error === ''
          ? nothing
          : notice({ kind: 'bad', title: 'The ledger was not changed.', body: this.error })
      }
      <p class="hidden-visually" role="status">${this.announcement}</p>
      ${
        this.sets.length === 0
          ? html`<p class="help">
              No releases yet. Each one is recorded here before it is made, and the record stays in
              this browser.
            </p>`
          : this.sets.map((set, index) => this.#set(set, index))
      }
      ${removed.length === 0 ? nothing : this.#removed(removed)} ${this.#budget()} ${this.#file()}`;
  }

  #set({ entries, spent }: DataSet, index: number): TemplateResult {
    const name = entries.find(({ dataSet }) => dataSet !== undefined)?.dataSet;
    const files = [...new Set(entries.flatMap(({ file }) => file ?? []))];
    return html`<section>
      <h3>${name ?? files[0] ?? `Data set ${index + 1}`}</h3>
      ${files.length > 1 ? html`<p class="help">Also as ${files.slice(1).join(', ')}.</p>` : nothing}
      ${
        spent === null
          ? html`<p class="help">
              Its releases protect different things, so their costs cannot be added.
            </p>`
          : html`<pm-budget-bar
              .spent=${spent}
              .budget=${this.budget}
              ?exhausted=${this.budget !== null && isUsedUp(spent, this.budget)}
            ></pm-budget-bar>`
      }
      ${this.#table(entries)}
    </section>`;
  }

  #table(entries: readonly LedgerEntry[]): TemplateResult {
    return html`<table class="entries">
      <thead>
        <tr>
          <th scope="col"><span class="hidden-visually">Entry</span></th>
          <th scope="col">Written</th>
          <th scope="col">Study</th>
          <th scope="col">Promise</th>
          <th scope="col"><span class="hidden-visually">Actions</span></th>
        </tr>
      </thead>
      <tbody>
        ${entries.map((entry) => this.#row(entry))}
      </tbody>
    </table>`;
  }

  #row(entry: LedgerEntry): TemplateResult {
    const { id, number, release } = entry;
    return html`<tr>
        <td class="number">${number}</td>
        <td>${timeOf(entry.at)}</td>
        <td>${entry.study.title}</td>
        <td class="promise">${entryWords(entry)}</td>
        <td class="does right">
          ${
            release === null
              ? nothing
              : html`<button
                  class="link"
                  type="button"
                  aria-label="Save the release of entry ${number} again"
                  @click=${() => void this.#saveAgain(entry, release)}
                >
                  Save again
                </button>`
          }
          <button
            class="link"
            type="button"
            aria-label="Take out entry ${number}"
            aria-expanded=${this.removing === id ? 'true' : 'false'}
            @click=${() => {
              this.removing = this.removing === id ? '' : id;
            }}
          >
            Take out
          </button>
        </td>
      </tr>
      ${
        this.removing === id
          ? html`<tr>
              <td colspan="5">
                <form @submit=${(event: SubmitEvent) => void this.#remove(event, id)}>
                  <label class="reason">
                    Why does entry ${number} not count?
                    <input
                      class="input"
                      name="reason"
                      required
                      maxlength="400"
                      autocomplete="off"
                    />
                  </label>
                  <button class="button" type="submit">Take it out</button>
                  <p class="help">
                    Do this only if the release was never given to anyone. The entry stays in the
                    ledger with your reason.
                  </p>
                </form>
              </td>
            </tr>`
          : nothing
      }`;
  }

  #removed(entries: readonly LedgerEntry[]): TemplateResult {
    return html`<section>
      <h3>Taken out</h3>
      <table class="entries gone">
        <thead>
          <tr>
            <th scope="col"><span class="hidden-visually">Entry</span></th>
            <th scope="col">Written</th>
            <th scope="col">Study</th>
            <th scope="col">Taken out</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          ${entries.map(
            ({ number, at, study, removed }) =>
              html`<tr>
                <td class="number">${number}</td>
                <td>${timeOf(at)}</td>
                <td>${study.title}</td>
                <td>${removed === undefined ? nothing : dayOf(removed.at)}</td>
                <td>${removed?.reason}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  }

  #budget(): TemplateResult {
    const { budget } = this;
    return html`<section>
      <h3>The budget of each data set</h3>
      <p class="help">
        ${
          budget === null
            ? 'No budget is set, so no release is refused.'
            : `All releases of one data set may cost ε ${epsilonText(budget.epsilon)} together, at δ = ${probability(budget.delta)}.`
        }
        The person responsible for the data sets it. The ledger records every change.
      </p>
      <form @submit=${(event: SubmitEvent) => void this.#setBudget(event)}>
        ${numberField('epsilon', 'Epsilon', budget?.epsilon)}
        ${numberField('delta', 'Delta', budget?.delta)}
        <button class="button" type="submit">Set the budget</button>
      </form>
    </section>`;
  }

  #file(): TemplateResult {
    return html`<section>
      <h3>The ledger as a file</h3>
      <p class="help">
        This browser keeps the ledger until its data for this site are cleared. A record is for
        others to read. The whole ledger also recognises your data sets on another computer: keep it
        as private as they are.
      </p>
      <div class="actions">
        <button class="button small" type="button" @click=${() => void this.#save(false)}>
          Save a record
        </button>
        <button class="button small" type="button" @click=${() => void this.#save(true)}>
          Save the whole ledger
        </button>
        <button class="button small" type="button" @click=${this.#choose}>
          Add a saved ledger
        </button>
        <input
          type="file"
          hidden
          aria-label="Add a saved ledger"
          accept=".json,application/json"
          @change=${(event: Event) => void this.#import(event)}
        />
      </div>
    </section>`;
  }

  async #saveAgain({ study, number }: LedgerEntry, release: string): Promise<void> {
    const text = await loadRelease(release);
    if (text === undefined) {
      this.error = `This browser no longer has the release of entry ${number}.`;
      return;
    }
    save(new Blob([text], { type: 'application/json' }), releaseName(study.title, release));
  }

  async #remove(event: SubmitEvent, id: string): Promise<void> {
    event.preventDefault();
    const reason = fieldOf(event.target as HTMLFormElement, 'reason');
    await this.#change('Taken out.', (ledger) => ledger.remove(id, reason));
    this.removing = '';
  }

  async #setBudget(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const [epsilon, delta] = [numberIn(fieldOf(form, 'epsilon')), numberIn(fieldOf(form, 'delta'))];
    await this.#change('The budget is set.', (ledger) => ledger.budget({ epsilon, delta }));
  }

  async #save(secret: boolean): Promise<void> {
    await this.#try(async () => {
      const text = (await this.ledger?.export({ secret })) ?? '';
      const name = secret ? 'ledger.json' : 'ledger-record.json';
      save(new Blob([text], { type: 'application/json' }), name);
    });
  }

  readonly #choose = (): void => {
    this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')?.click();
  };

  async #import(event: Event): Promise<void> {
    const [file] = takeFiles(event);
    if (file === undefined) return;
    await this.#change('Added.', async (ledger) => ledger.import(await file.text()));
  }

  async #change(announcement: string, change: (ledger: Ledger) => Promise<unknown>): Promise<void> {
    const { ledger } = this;
    if (ledger === undefined) return;
    await this.#try(async () => {
      await change(ledger);
      this.announcement = announcement;
      await this.refresh();
      this.dispatchEvent(new CustomEvent('pm-ledger-changed'));
    });
  }

  async #try(action: () => Promise<void>): Promise<void> {
    try {
      this.error = '';
      await action();
    } catch (error) {
      this.error = describe(error);
    }
  }
}

function numberField(name: string, label: string, value: number | undefined): TemplateResult {
  return html`<label>
    ${label}
    <input class="input" name=${name} inputmode="decimal" required .value=${String(value ?? '')} />
  </label>`;
}
