// The demo's reports: those of the package, with the results without privacy set beside, and what only
// somebody who plays all sites knows.

import { report } from 'private-moments/report';
import * as format from 'private-moments/words';
import { time } from './words.mjs';

const { bytes, capitalised, correlation, count, countWord, list } = format;

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text) => String(text).replace(/[&<>]/g, (character) => escapes[character]);

/** What left each site, beside what stayed, as HTML. */
function siteTable({ sites }) {
  const cells = (row) => row.map((cell) => `<td>${cell}</td>`).join('');
  const rows = sites.map(
    (site) =>
      `<tr><th scope="row">${escaped(site.name)}</th>${cells([count(site.rows), bytes(site.read), `<strong>${count(site.sent)}</strong>`, time(site.ms)])}</tr>`,
  );
  const total = (key) => sites.reduce((sum, site) => sum + site[key], 0);
  const all = [count(total('rows')), bytes(total('read')), count(total('sent')), time(total('ms'))];
  const head = ['Site', 'Rows', 'Stays', 'Bytes that left', 'Time'].map(
    (name) => `<th scope="col">${name}</th>`,
  );
  return `<p class="sub">One file each. It was written to bytes and read back, as if it had been sent.</p>
<div class="scroll" tabindex="0" role="region" aria-label="What left each site"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody>
<tfoot><tr><th scope="row">all ${countWord(sites.length).toLowerCase()}</th>${cells(all)}</tr></tfoot></table></div>`;
}

function plantedWords({ pairs, rows }) {
  const planted = list(pairs.map((pair) => correlation(pair.planted)));
  return `<p class="sub">The ${count(rows)} simulated rows come from a population with canonical correlations ${planted}. Sampling alone moves the first to ${correlation(pairs[0].reference, 3)}; the noise does the rest.</p>`;
}

/**
 * The report of a run as HTML text.
 *
 * @param {object} run what run.mjs collected
 * @param {{ made: string, source?: string }} about when it was made, and where the rows are from
 */
export function renderReport(run, { made, source }) {
  return report([run.result, run.spread, run.moments], {
    title: capitalised(run.title),
    date: made,
    references: [run.reference],
    releases: run.sites,
    sections: [
      { title: 'What left each site', html: siteTable(run) },
      ...(run.planted ? [{ title: 'What was planted', html: plantedWords(run) }] : []),
      ...(source === undefined
        ? []
        : [{ title: 'Where the rows are from', html: `<p class="sub">${escaped(source)}</p>` }]),
    ],
  });
}
