import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import type { Answer } from '../base/answer.js';
import type { Proposal } from './designer-protocol.js';
import { capitalised, count, list, plural } from 'private-moments/words';
import { notice } from '../controls/notice.js';
import type { FilesDetail } from '../contract/elements.js';
import { columnBounds } from '../session/study-view.js';

const MOST_EXAMPLE_BYTES = 64e6;

/** The state of an example file. */
type Example =
  | { state: 'asking'; isPublic: boolean; problem: string }
  | { state: 'reading'; name: string }
  | { state: 'proposed'; name: string; proposal: Proposal };

/** What the box needs from the designer around it. */
interface Designer {
  propose: (file: File) => Promise<Answer<Proposal>>;
  /** Takes over an accepted proposal. */
  use: (proposal: Proposal) => void;
  /** Focuses the element with this id once it is rendered. */
  focus: (id: string) => void;
}

/** Proposes columns from an example file, public or made up, for the user to accept. */
export class ExampleBox {
  readonly #host: Pick<ReactiveControllerHost, 'requestUpdate'>;
  readonly #designer: Designer;
  #example: Example | undefined;
  /** Increases with each reading begun or cancelled, so that results of an earlier one can be dropped. */
  #readings = 0;

  constructor(host: Pick<ReactiveControllerHost, 'requestUpdate'>, designer: Designer) {
    this.#host = host;
    this.#designer = designer;
  }

  get isOpen(): boolean {
    return this.#example !== undefined;
  }

  readonly start = (): void => {
    this.#show({ state: 'asking', isPublic: false, problem: '' });
    this.#designer.focus('is-public');
  };

  readonly close = (): void => {
    this.#readings++;
    this.#show(undefined);
    this.#designer.focus('example');
  };

  async read(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const reading = ++this.#readings;
    const again = (problem: string): void => {
      this.#show({ state: 'asking', isPublic: true, problem });
    };
    if (file.size > MOST_EXAMPLE_BYTES) {
      again('The file is larger than 64 MB. A part of it is enough.');
      return;
    }
    this.#show({ state: 'reading', name: file.name });
    this.#designer.focus('example-title');
    const answer = await this.#designer.propose(file);
    if (reading !== this.#readings) return;
    if ('error' in answer) {
      again(answer.error);
      return;
    }
    this.#show({ state: 'proposed', name: file.name, proposal: answer.value });
    this.#designer.focus('example-title');
  }

  render(): TemplateResult | typeof nothing {
    const example = this.#example;
    switch (example?.state) {
      case undefined:
        return nothing;
      case 'asking':
        return this.#asking(example);
      case 'reading':
        return html`<div class="example">
          <h3 id="example-title" tabindex="-1">Reading ${example.name}</h3>
          <p class="help" role="status">In this page. Nothing is sent.</p>
          <div class="actions">${this.#neverMind()}</div>
        </div>`;
      case 'proposed':
        return this.#proposed(example);
    }
  }

  #show(example: Example | undefined): void {
    this.#example = example;
    this.#host.requestUpdate();
  }

  #neverMind(): TemplateResult {
    return html`<button class="link" type="button" @click=${this.close}>Cancel</button>`;
  }

  #asking(example: Example & { state: 'asking' }): TemplateResult {
    return html`<div class="example">
      <h3 id="example-title" tabindex="-1">Columns from an example</h3>
      <p class="help">
        A study is public, including its bounds. The smallest and largest values of private rows
        would reveal something about those rows, so the example must be a public file or one you
        made up. It is read in this page, which proposes only names and rounded bounds from it.
      </p>
      <label class="confirm">
        <input
          type="checkbox"
          id="is-public"
          .checked=${example.isPublic}
          @change=${(event: Event) => {
            const { checked } = event.target as HTMLInputElement;
            this.#show({ ...example, isPublic: checked });
          }}
        />
        <span>This file is public or made up. It holds no private rows.</span>
      </label>
      ${
        example.isPublic
          ? html`<pm-drop-zone
              heading="Drop the example here"
              help="CSV with a header line."
              accept=".csv,.tsv,.txt,text/csv"
              @pm-files=${(event: CustomEvent<FilesDetail>) => {
                void this.read(event.detail.files[0]);
              }}
            ></pm-drop-zone>`
          : nothing
      }
      ${
        example.problem === ''
          ? nothing
          : html`<div class="actions">
              ${notice({ kind: 'bad', title: 'No columns can be proposed from this file.', body: example.problem })}
            </div>`
      }
      <div class="actions">${this.#neverMind()}</div>
    </div>`;
  }

  #proposed({ name, proposal }: Example & { state: 'proposed' }): TemplateResult {
    const { columns, rows, leftOut } = proposal;
    return html`<div class="example">
      <h3 id="example-title" tabindex="-1">
        ${capitalised(plural(columns.length, 'column'))} from ${name}
      </h3>
      <p class="help">
        Read from ${plural(rows, 'row')}. Values outside the bounds will be moved to them. Check
        that these bounds are what any textbook would give.
      </p>
      <div class="scroll" tabindex="0" role="region" aria-label="Proposed columns">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Kind</th>
              <th scope="col" class="right">Bounds or levels</th>
            </tr>
          </thead>
          <tbody>
            ${columns.map(
              (column) =>
                html`<tr>
                  <th scope="row">${column.name}</th>
                  <td>${column.type}</td>
                  <td class="right">
                    ${columnBounds(column)}
                    <div class="label">${column.from}</div>
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${
        leftOut.length === 0
          ? nothing
          : html`<p class="hint">
              Left out: ${list(leftOut.map(({ name: column, why }) => `${column} (${why})`))}.
            </p>`
      }
      <div class="actions">
        <button
          class="button small primary"
          type="button"
          ?disabled=${columns.length === 0}
          @click=${() => {
            this.#show(undefined);
            this.#designer.use(proposal);
          }}
        >
          Use ${columns.length === 1 ? 'this column' : `these ${count(columns.length)} columns`}
        </button>
        ${this.#neverMind()}
      </div>
    </div>`;
  }
}
