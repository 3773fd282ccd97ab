import { html, nothing, type TemplateResult } from 'lit';
import { methodsInWords, type Analysed } from 'private-moments/words';
import type { ReportInput, ReportRelease } from 'private-moments/report';
import { down } from '../look/icons.js';
import { save } from '../base/save.js';

/** The section with downloads of a result: to read, for a program, for a spreadsheet, and as tables. */
export function downloadSection(about: {
  results: readonly ReportInput[];
  /** The releases they come from, or their ids. */
  releases: readonly (string | ReportRelease)[];
  /** The contents of the JSON file and of the CSV file, in a sentence each. */
  everything: string;
  numbers: string;
  /** Whether the tables are shown. */
  tables: boolean;
  onTables: () => void;
}): TemplateResult {
  const { results } = about;
  const releases = about.releases.map((each) => (typeof each === 'string' ? { id: each } : each));
  return html`<section class="on-screen" aria-labelledby="downloads">
    <h2 id="downloads">Save the result</h2>
    <ul class="go">
      <li>
        <div>
          <h3>Report, to read and print</h3>
          <p class="help">
            One HTML file with every figure and table, the guarantee, the noise and the code.
          </p>
        </div>
        <button class="button primary" type="button" @click=${() => saveReport(results, releases)}>
          ${down} Download report
        </button>
      </li>
      <li>
        <div>
          <h3>Everything, for a program</h3>
          <p class="help">${about.everything}</p>
        </div>
        <button class="button" type="button" @click=${() => saveJson(results, releases)}>
          ${down} Download JSON
        </button>
      </li>
      <li>
        <div>
          <h3>Every number, for a spreadsheet</h3>
          <p class="help">${about.numbers}</p>
        </div>
        <button class="button" type="button" @click=${() => saveCsv(results)}>
          ${down} Download CSV
        </button>
      </li>
      <li>
        <div>
          <h3>The figures as tables</h3>
          <p class="help">To copy, check, or hear read aloud.</p>
        </div>
        <button
          class="button"
          type="button"
          aria-expanded=${about.tables ? 'true' : 'false'}
          @click=${about.onTables}
        >
          ${about.tables ? 'Hide the tables' : 'Show the tables'}
        </button>
      </li>
    </ul>
  </section>`;
}

/** The paragraph on methods for a paper; nothing for results without privacy. */
export function methodsSection(results: readonly Analysed[]): TemplateResult | typeof nothing {
  const words = methodsInWords(results);
  if (words === '') return nothing;
  return html`<section aria-labelledby="methods">
    <div class="head">
      <h2 id="methods">Methods</h2>
      <pm-copy-button small .text=${words} label="Copy the paragraph"></pm-copy-button>
    </div>
    <p class="help on-screen">To be pasted into a paper.</p>
    <p class="methods">${words}</p>
  </section>`;
}

async function saveReport(
  results: readonly ReportInput[],
  releases: readonly ReportRelease[],
): Promise<void> {
  const { report } = await writer();
  const date = new Date().toISOString().slice(0, 10);
  const html = report(results, { date, releases });
  save(new Blob([html], { type: 'text/html' }), 'report.html');
}

async function saveJson(
  results: readonly ReportInput[],
  releases: readonly ReportRelease[],
): Promise<void> {
  const { toJSON } = await writer();
  const json = toJSON(results, { releases: releases.map(({ id }) => id) });
  save(new Blob([json], { type: 'application/json' }), 'results.json');
}

async function saveCsv(results: readonly ReportInput[]): Promise<void> {
  const { toCSV } = await writer();
  save(new Blob([toCSV(results)], { type: 'text/csv' }), 'results.csv');
}

/** Loads the report module, which only downloads need. */
function writer(): Promise<typeof import('private-moments/report')> {
  return import('private-moments/report');
}
