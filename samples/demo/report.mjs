// The demo's reports: those of the package, with the results without privacy for comparison, and with
// details that are known only because the demo plays all sites.

import { report } from 'private-moments/report';
import * as format from 'private-moments/words';
import { time } from './words.mjs';

const { bytes, capitalised, correlation, count, countWord, list } = format;

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text) => String(text).replace(/[&<>]/g, (character) => escapes[character]);

/** An HTML table of what stayed at each site and what left it. */
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
  return `<p class="sub">One file from each site, written to disk and read back as if it had been sent.</p>
<div class="scroll" tabindex="0" role="region" aria-label="What left each site"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody>
<tfoot><tr><th scope="row">all ${countWord(sites.length).toLowerCase()}</th>${cells(all)}</tr></tfoot></table></div>`;
}

function plantedWords({ pairs, rows }) {
  const planted = list(pairs.map((pair) => correlation(pair.planted)));
  return `<p class="sub">The ${count(rows)} simulated rows come from a population with canonical correlations ${planted}. Sampling alone changes the first to ${correlation(pairs[0].reference, 3)}; noise causes the rest of the difference.</p>`;
}

/**
 * The report of a run as HTML text.
 *
 * @param {object} run the result of `runStudy`
 * @param {{ made: string, source?: string }} about the date, and the source of the rows
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
