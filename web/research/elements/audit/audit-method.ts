import { html, nothing, type TemplateResult } from 'lit';
import type { Table } from 'private-moments-research';
import type { AuditFacts } from './audit-protocol.js';
import { fixed } from 'private-moments/words';

/** What an attack is, what it proves and does not prove, and the data sets once they are loaded. */
export function method(facts: AuditFacts | undefined): TemplateResult {
  return html`<p class="prose">
      <b>The promise.</b> A mechanism M is (ε, δ)-private if for any two neighbouring data sets X
      and X′ and any set S of outputs P(M(X) ∈ S) ≤ e<sup>ε</sup> P(M(X′) ∈ S) + δ. Neighbours here
      have one row replaced by another.
    </p>
    <p class="prose">
      <b>The attack.</b> The real release code runs on either data set with fresh randomness of this
      browser. Each release gets a score, the logarithm of the likelihood ratio where it is known,
      and the guess is “the first” if the score is above a threshold. The threshold is fixed
      beforehand, or chosen on every fourth attack and tried on the others.
    </p>
    <p class="prose">
      <b>The bound.</b> Clopper-Pearson intervals of both error rates give the smallest ε that they
      leave possible. It is recomputed after 10, 15, 20, 30, 50, 70, 100, … attacks, the k-th time
      with error probability 0.05/(k(k + 1)): these sum to 0.05, so that the 95% holds for all
      bounds together, and for stopping at any time.
      ${
        facts?.reads === 'normal'
          ? `The noise of this mechanism is normal: all of its promises follow from one number μ, which the error
      rates bound from below, and ε follows from μ at δ.`
          : nothing
      }
    </p>
    <p class="prose">
      <b>What it does not show.</b> One pair of neighbours and one score are tried. Another pair, or
      a cleverer guess, may show more. Only the proof of a mechanism says what holds.
    </p>
    ${
      facts === undefined
        ? html`<p class="help">The two data sets appear here once an audit has started.</p>`
        : html`<div class="sets">
            ${dataSet('First data set', facts.dataSets[0], facts.dataSets[1])}
            ${dataSet('Second data set', facts.dataSets[1], facts.dataSets[0])}
          </div>`
    }`;
}

function dataSet(caption: string, rows: Table, other: Table): TemplateResult {
  const own = rowsOf(rows);
  const others = rowsOf(other).map(String);
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${(own[0] ?? []).map((_, i) => html`<th scope="col" class="right">column ${i + 1}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${own.map(
        (row, i) =>
          html`<tr class=${others[i] === String(row) ? '' : 'own'}>
            ${row.map((value) => html`<td class="right">${fixed(value, 2)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function rowsOf({ columns, values }: Table): number[][] {
  return Array.from({ length: values.length / columns }, (_, i) => [
    ...values.slice(i * columns, (i + 1) * columns),
  ]);
}
