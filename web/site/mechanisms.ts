import { LitElement, css, html, type TemplateResult } from 'lit';
import {
  FACTS,
  formula,
  reasonForNone,
  type KnownFacts,
  type PublishedFacts,
} from '../research/elements/comparison/mechanism-words.js';
import { styles } from '../elements/src/look/styles.js';
import { start } from './main.js';

const COLUMNS: [heading: string, cell: (row: KnownFacts) => unknown][] = [
  ['Guarantee', (row) => row.guarantee],
  ['Releases', (row) => row.releases],
  ['Error grows as', (row) => html`<span class="formula">${formula(row.error)}</span>`],
  ['Arithmetic', (row) => row.numerics],
  ['Neighbours', (row) => row.neighbours],
  ['Additive across sites', (row) => row.additive],
  ['Positive semidefinite', (row) => row.psd],
  ['Source', (row) => row.source],
];

const PUBLISHED_COLUMNS: [heading: string, cell: (row: PublishedFacts) => unknown][] = [
  ['What is claimed', (row) => row.claim],
  ['What holds', (row) => html`<span>${truth(row.truth)}</span>`],
  ['Source', (row) => row.source],
];

const TERMS: [term: string, meaning: string][] = [
  [
    'Guarantee',
    'ε: no set of outcomes is more than e^(ε) times as likely for one neighbour as for the other. (ε, δ): the same with δ, which must be above 0, added to the bound.',
  ],
  [
    'Error',
    'How the error grows with d features, for rows of length at most 1. Second moments: distance between whole matrices. Directions: sine of the angle to the true one; the gap is the difference between its sum of squares and that of the next.',
  ],
  [
    'Arithmetic',
    'Exact: proved for the integers the code computes with. Idealized: proved for real numbers, computed in floating point, which may reveal more than the proof allows.',
  ],
  [
    'Neighbours',
    'Which two data sets are hard to tell apart. Either: one row (or one participant’s file) is replaced by any other, or is present in only one of them, as the study says.',
  ],
  [
    'Additive',
    'Releases of several sites sum to a release of all their rows. Directions are combined in another way.',
  ],
];

/** The comparison of all mechanisms, which tools/mechanism-table.mjs generates from the registries. */
class PmMechanisms extends LitElement {
  static override styles = [
    styles,
    css`
      section {
        margin-top: 56px;
      }

      h2 + .prose {
        margin-top: 6px;
      }

      table {
        margin-top: 24px;
      }

      thead th {
        white-space: normal;
      }

      tbody th,
      td {
        padding-block: 14px;
        vertical-align: top;
      }

      tbody th {
        width: 250px;
        padding-right: 24px;
      }

      .published tbody th {
        width: 230px;
      }

      .published td:first-of-type {
        width: 140px;
      }

      .published td:last-of-type {
        width: 300px;
      }

      td {
        color: var(--_ink-2);
      }

      td:first-of-type {
        color: var(--_ink);
      }

      th .title {
        display: block;
        font-size: 15px;
        font-weight: 600;
      }

      th .summary {
        display: block;
        margin-top: 4px;
        color: var(--_ink-2);
        font-weight: 400;
        text-wrap: pretty;
      }

      th .mono {
        display: block;
        color: var(--_ink-3);
        font-weight: 400;
        overflow-wrap: anywhere;
      }

      .published th .mono {
        color: var(--_ink);
      }

      @media (min-width: 1000px) {
        .formula {
          white-space: nowrap;
        }
      }

      sup {
        font-size: 0.75em;
        line-height: 0;
      }

      .terms {
        display: grid;
        gap: 8px;
        max-width: 46em;
        margin-top: 28px;
        font-size: 14px;
        line-height: 22px;
      }

      .terms > div {
        display: grid;
        grid-template-columns: 120px minmax(0, 1fr);
        gap: 16px;
      }

      .terms dt {
        color: var(--_ink-3);
      }

      .terms dd {
        color: var(--_ink-2);
      }

      @media (max-width: 999px) {
        table,
        tbody,
        tr,
        tbody th,
        td {
          display: block;
          width: auto;
        }

        thead {
          display: none;
        }

        tbody {
          border-top: 1px solid var(--_line-2);
        }

        tr {
          padding: 20px 0;
          border-bottom: 1px solid var(--_line);
        }

        tbody th,
        .published th {
          width: auto;
          margin-bottom: 12px;
          padding: 0;
          border: 0;
        }

        td,
        .published td:first-of-type,
        .published td:last-of-type {
          display: grid;
          grid-template-columns: 148px minmax(0, 1fr);
          gap: 12px;
          width: auto;
          padding: 3px 0;
          border: 0;
        }

        td::before {
          content: attr(data-label);
          color: var(--_ink-3);
        }
      }

      @media (max-width: 759px) {
        section {
          margin-top: 44px;
        }

        .terms > div {
          grid-template-columns: minmax(0, 1fr);
          gap: 0;
        }
      }
    `,
  ];

  /** Scrolls to the mechanism named in the address, which browsers do not find inside a shadow root. */
  protected override firstUpdated(): void {
    const name = location.hash.slice(1);
    if (name !== '') this.renderRoot.querySelector(`#${CSS.escape(name)}`)?.scrollIntoView();
  }

  protected override render(): TemplateResult {
    return html`<h1>Mechanisms</h1>
      <p class="lead">
        The ways to make a release private, what each promises, and how its error grows. A study
        names one.
      </p>
      <section aria-labelledby="known">
        <h2 id="known">In a study</h2>
        <p class="prose">
          For second moments, use the Gaussian mechanism, or the two-sided Wishart if δ must be 0.
          For principal directions from few rows, use eigenvector sampling.
        </p>
        ${table(
          '',
          COLUMNS,
          FACTS.mechanisms.map((row) => ({ row, head: knownHead(row) })),
        )}
        <dl class="terms">
          ${TERMS.map(
            ([term, meaning]) =>
              html`<div>
                <dt>${term}</dt>
                <dd>${formula(meaning)}</dd>
              </div>`,
          )}
        </dl>
      </section>
      <section aria-labelledby="published">
        <h2 id="published">As published</h2>
        <p class="prose">
          Reproductions, for comparison only. No study can name them: some keep no promise at all,
          and others do not keep the promise made in their paper.
        </p>
        ${table(
          'published',
          PUBLISHED_COLUMNS,
          FACTS.published.map((row) => ({
            row,
            head: html`<span class="mono">${row.name}</span>`,
          })),
        )}
      </section>`;
  }
}

function knownHead({ title, name, summary }: KnownFacts): TemplateResult {
  return html`<span class="title">${title}</span><span class="mono">${name}</span
    ><span class="summary">${summary}</span>`;
}

/** A table that becomes a list in a narrow window; explicit roles keep its semantics. */
function table<Row extends { name: string }>(
  kind: string,
  columns: [heading: string, cell: (row: Row) => unknown][],
  rows: { row: Row; head: TemplateResult }[],
): TemplateResult {
  return html`<table class=${kind} role="table">
    <thead role="rowgroup">
      <tr role="row">
        <th scope="col" role="columnheader">Mechanism</th>
        ${columns.map(([heading]) => html`<th scope="col" role="columnheader">${heading}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        ({ row, head }) =>
          html`<tr role="row" id=${row.name}>
            <th scope="row" role="rowheader">${head}</th>
            ${columns.map(
              ([heading, cell]) => html`<td role="cell" data-label=${heading}>${cell(row)}</td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A claim that does not hold gets a red tag. */
function truth(text: string): unknown[] {
  const reason = reasonForNone(text);
  if (reason === undefined) return formula(text);
  return [html`<span class="tag bad">none</span> `, ...formula(reason)];
}

await start({ 'pm-mechanisms': PmMechanisms });
