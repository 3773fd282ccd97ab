// The demo's HTML report: one file, no scripts, nothing loaded from anywhere.

import {
  bytes,
  capitalised,
  correlation,
  count,
  difference,
  guessesIn100,
  inWords,
  list,
  ordinal,
  probability,
  significant,
  time,
} from './words.mjs';
import { STYLE } from './style.mjs';

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const esc = (text) => String(text).replace(/[&<>"']/g, (c) => escapes[c]);
const percent = (share) => `${(100 * share).toFixed(2)}%`;

const MARK = `<svg class="mark" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
<rect x="0" y="0" width="6" height="6"/><rect x="0" y="8" width="6" height="6"/><rect x="8" y="8" width="6" height="6"/>
<g opacity=".45"><rect x="0" y="16" width="6" height="6"/><rect x="8" y="16" width="6" height="6"/></g><rect x="16" y="16" width="6" height="6"/></svg>`;

/** Pairs that stand out of the noise, and the rest, as words. */
function verdict(pairs) {
  const clear = pairs.filter((pair) => !pair.belowNoiseFloor).length;
  const drowned = pairs.length - clear;
  const stand = `${capitalised(inWords(clear))} ${clear === 1 ? 'pair stands' : 'pairs stand'} out of the noise`;
  if (drowned === 0) return `${stand}.`;
  return `${stand}; ${inWords(drowned)} cannot be told from it.`;
}

/** The noise floors of all pairs: ".04", or ".04 to .08" where they differ. */
function floorRange(pairs) {
  const floors = pairs.map((pair) => correlation(pair.noiseFloor, 2)).sort();
  return floors[0] === floors.at(-1) ? floors[0] : `${floors[0]} to ${floors.at(-1)}`;
}

/**
 * Dots (private) against bars (the truth). Positions are percentages, so the figure follows the width of
 * its container while its text keeps its size.
 */
function correlationFigure(run, id) {
  const { pairs } = run;
  const truthOf = (pair) => pair.planted ?? pair.reference;
  const truthName = run.planted ? 'planted' : 'without privacy';
  const largest = Math.max(...pairs.flatMap((p) => [p.estimate, p.noiseFloor, truthOf(p)]));
  const end = Math.min(1, Math.ceil(largest * 5 + 0.3) / 5);
  const at = (value) => percent(value / end);
  const rowHeight = 54;
  const top = 34;
  const bottom = top + rowHeight * pairs.length;
  const ticks = Array.from({ length: Math.round(end * 5) + 1 }, (_, i) => i / 5);

  const grid = ticks
    .map(
      (tick) =>
        `<line class="${tick === 0 ? 'base' : 'grid'}" x1="${at(tick)}" x2="${at(tick)}" y1="${top}" y2="${bottom}"/>` +
        `<text class="tick" x="${at(tick)}" y="${bottom + 20}" text-anchor="middle">${tick === 0 ? '0' : correlation(tick, 1)}</text>`,
    )
    .join('');
  const rows = pairs
    .map((pair, i) => {
      const y = top + rowHeight * i + 34;
      const truth = truthOf(pair);
      const drowned = pair.belowNoiseFloor;
      const label = drowned
        ? `<text class="drowned halo" x="${at(Math.max(pair.estimate, truth, pair.noiseFloor))}" dx="12" y="${y + 4}"><tspan class="strong">${correlation(pair.estimate, 2)}</tspan> below the noise floor: do not interpret</text>`
        : `<text class="value halo" x="${at(pair.estimate)}" y="${y - 15}" text-anchor="middle">${correlation(pair.estimate, 2)}</text>`;
      const left = `x="${at(Math.min(pair.estimate, truth))}" dx="-16" text-anchor="end"`;
      const legend =
        i === 0
          ? `<text class="note ours halo" ${left} y="${y - 4}">private ●</text>` +
            `<text class="note halo" ${left} y="${y + 13}">${truthName} ❙</text>`
          : '';
      return (
        `<text class="row" x="-14" y="${y + 5}" text-anchor="end">${ordinal(i)}</text>` +
        `<circle class="${drowned ? 'hollow' : 'dot'}" cx="${at(pair.estimate)}" cy="${y}" r="6"/>` +
        `<line class="truth" x1="${at(truth)}" x2="${at(truth)}" y1="${y - 11}" y2="${y + 11}"/>` +
        label +
        legend
      );
    })
    .join('');
  const floors = pairs
    .map((pair, i) => {
      const y = top + rowHeight * i;
      const x = at(pair.noiseFloor);
      return (
        `<rect x="0" y="${y}" width="${x}" height="${rowHeight}" fill="url(#${id})"/>` +
        `<line class="floor" x1="${x}" x2="${x}" y1="${y}" y2="${y + rowHeight}"/>`
      );
    })
    .join('');
  const description = pairs
    .map(
      (pair, i) =>
        `${ordinal(i)} pair: private ${correlation(pair.estimate, 2)}, ${truthName} ${correlation(truthOf(pair), 2)}` +
        (pair.belowNoiseFloor ? ', below the noise floor' : ''),
    )
    .join('; ');
  return `<figure class="plot"><svg role="img" aria-label="Canonical correlations. ${esc(description)}. Noise floor ${floorRange(pairs)}." height="${bottom + 46}">
<defs><pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" x2="0" y1="0" y2="6"/></pattern></defs>
${grid}${floors}
<text class="tick" x="0" y="${top - 12}">noise floor ${floorRange(pairs)}</text>
${rows}<text class="tick" x="50%" y="${bottom + 40}" text-anchor="middle">canonical correlation</text></svg></figure>`;
}

function correlationTable(run) {
  const head = [
    'Pair',
    ...(run.planted ? ['Planted'] : []),
    'Without privacy',
    'Private',
    'Difference',
    'Noise floor',
  ];
  const body = run.pairs.map((pair, i) => {
    const cells = [
      ...(run.planted ? [correlation(pair.planted)] : []),
      correlation(pair.reference),
      `<strong>${correlation(pair.estimate)}</strong>`,
      difference(pair.estimate - pair.reference),
      correlation(pair.noiseFloor),
    ];
    return `<tr${pair.belowNoiseFloor ? ' class="faint"' : ''}><th scope="row">${ordinal(i)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

/** Bars: correlation of each feature with the first pair's score; ink ticks: the same without privacy. */
function barList(view, series) {
  const at = (value) => percent((value + 1) / 2);
  const rows = view.features.map((feature) => {
    const from = Math.min(0, feature.private);
    const width = Math.abs(feature.private) / 2;
    return `<tr><th scope="row">${esc(feature.label)}</th><td><svg height="36" aria-hidden="true"><rect class="${series}" x="${at(from)}" y="10" width="${percent(width)}" height="16"/><line class="base" x1="50%" x2="50%" y1="0" y2="36"/><line class="truth" x1="${at(feature.reference)}" x2="${at(feature.reference)}" y1="7" y2="29"/></svg></td><td class="also">${correlation(feature.reference, 2)}</td><td><strong>${correlation(feature.private, 2)}</strong></td></tr>`;
  });
  return `<div class="bars"><h3>${esc(view.title)}</h3><p class="help">${esc(view.sentence)}</p>
<table><thead><tr><td></td><td><svg height="20" aria-hidden="true"><text class="tick" x="0" y="14">−1</text><text class="tick" x="50%" y="14" text-anchor="middle">0</text><text class="tick" x="100%" y="14" text-anchor="end">1</text></svg></td><th scope="col" class="also">exact</th><th scope="col">private</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></div>`;
}

/** Nine steps from -1 to 1, the middle one around zero. */
const step = (value) => Math.max(1, Math.min(9, Math.round(value * 4.5) + 5));

function heatMap(map) {
  const rows = map.labels.map((label, i) => {
    const cells = map.values
      .slice(i * map.labels.length, i * map.labels.length + i + 1)
      .map((value) => {
        // The point is dropped where cells are narrow, and the caption then says so.
        const text = value === 1 ? '1' : correlation(value, 2).replace('.', '<i>.</i>');
        return `<td class="c${step(value)}"><span>${text}</span></td>`;
      });
    return `<tr><th scope="row">${label.group ? `<em>${esc(label.group)}: </em>` : ''}${esc(label.name)}</th>${cells.join('')}</tr>`;
  });
  const foot = map.labels.map((label) => `<th scope="col"><span>${esc(label.name)}</span></th>`);
  const steps = Array.from({ length: 9 }, (_, i) => `<b class="c${i + 1}"></b>`).join('');
  return `<div class="heat"><div class="scale" aria-hidden="true">${steps}<span>−1</span><span>0</span><span>1</span></div>
<table><tbody>${rows.join('')}</tbody><tfoot><tr><td></td>${foot.join('')}</tr></tfoot></table></div>`;
}

function siteTable(run) {
  const rows = run.sites.map(
    (site) =>
      `<tr><th scope="row">${esc(site.name)}</th><td>${count(site.rows)}</td><td>${bytes(site.read)}</td><td><strong>${count(site.sent)}</strong></td><td class="wide">${time(site.ms)}</td><td class="wide"><code>${esc(site.id.slice(0, 12))}</code></td></tr>`,
  );
  const total = (key) => run.sites.reduce((sum, site) => sum + site[key], 0);
  return `<table><thead><tr><th scope="col">Site</th><th scope="col">Rows</th><th scope="col">Stays</th><th scope="col">Bytes that left</th><th scope="col" class="wide">Time</th><th scope="col" class="wide">Release</th></tr></thead><tbody>${rows.join('')}</tbody>
<tfoot><tr><th scope="row">all ${inWords(run.sites.length)}</th><td>${count(total('rows'))}</td><td>${bytes(total('read'))}</td><td>${count(total('sent'))}</td><td class="wide">${time(total('ms'))}</td><td class="wide"></td></tr></tfoot></table>`;
}

function guessBar(guarantee) {
  const right = guessesIn100(guarantee);
  return `<figure class="guess"><svg role="img" aria-label="Best guess: a coin is right 50 times in 100, with one release ${Math.round(right)}, certainty would be 100." height="64">
<rect class="track" x="0" y="26" width="100%" height="8"/><rect class="coin" x="0" y="26" width="50%" height="8"/><rect class="dot" x="50%" y="26" width="${percent(right / 100 - 0.5)}" height="8"/>
<line class="ours-line" x1="${percent(right / 100)}" x2="${percent(right / 100)}" y1="8" y2="34"/><text class="note ours strong" x="${percent(right / 100)}" dx="7" y="17">one release ${Math.round(right)}</text>
<text class="tick" x="50%" y="54" text-anchor="middle">coin 50</text><text class="tick" x="100%" y="54" text-anchor="end">certain 100</text></svg></figure>`;
}

function details(summary, body) {
  return `<details><summary>${summary}</summary><div>${body}</div></details>`;
}

/**
 * The report as HTML text.
 *
 * @param {object} demo what demo.mjs collected: `census` and `cohort` runs, `bars`, `map`, `made`, `version`
 * @returns {string} a whole document that needs nothing else
 */
export function renderReport({ census, cohort, bars, map, made, version }) {
  const { guarantee, noise, pairs, sites } = census;
  const first = pairs[0];
  const gap = correlation(Math.abs(first.estimate - first.reference));
  const apart = gap === '.000' ? 'the same to three decimals' : `${gap} apart`;
  const dimension = map.labels.length;
  const sent = sites.reduce((sum, site) => sum + site.sent, 0);
  const numbers = (dimension * (dimension + 3)) / 2;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${esc(census.title)}: private-moments demo</title>
<style>${STYLE}</style>
</head>
<body>
<header><div class="wrap">${MARK}<span class="name">private-moments</span><span class="where">Demo report</span></div></header>
<main class="wrap">
<div class="opening"><div>
<p class="eyebrow">${capitalised(inWords(sites.length))} sites, no pooled rows</p>
<h1>${esc(census.title)}</h1>
<p class="lead">${verdict(pairs)} The first is ${correlation(first.estimate, 2)}; with all rows in one place and no noise it is ${correlation(first.reference, 2)}.</p>
</div>
<dl class="key"><div><dt>Releases</dt><dd>${sites.length}</dd></div><div><dt>Rows</dt><dd>${count(census.rows)}</dd></div><div><dt>Guarantee</dt><dd><span aria-label="epsilon ${guarantee.epsilon}">ε ${guarantee.epsilon}</span></dd></div><div><dt>Left each site</dt><dd>${bytes(Math.round(sent / sites.length))}</dd></div></dl>
</div>

<section><h2>Canonical correlations</h2>
<p class="sub">How strongly the two views, ${list(census.views.map(esc))}, move together.</p>
<div class="two figure-words">
<div>${correlationFigure(census, 'hatch-census')}</div>
<div><h3>In words</h3>
<p>The first pair has a correlation of ${correlation(first.estimate)}. The same analysis without privacy says ${correlation(first.reference)}: ${apart}.</p>
<p>In these directions noise alone would show up to ${floorRange(pairs)} (hatched). ${pairs.some((p) => p.belowNoiseFloor) ? 'A pair inside that says nothing.' : 'Every pair is beyond that.'}</p>
</div></div>
${correlationTable(census)}
</section>

<section><h2>First pair</h2>
<p class="sub">Bars: correlation of a column with the pair’s score, from the private sums. Ink ticks: the same without privacy.</p>
<div class="two">${barList(bars[0], 's1')}${barList(bars[1], 's2')}</div>
</section>

<section><h2>What the analyst holds</h2>
<p class="sub">${capitalised(inWords(sites.length))} files became one matrix: ${numbers} sums of products and plain sums of ${dimension} features. No row is in it.</p>
<div class="two map-words">
<div>${heatMap(map)}</div>
<div><h3>Noise in every cell</h3>
<p>Each site added its own noise, sd ${significant(noise.perRelease)} to every sum of two features, before its file left. Over ${inWords(sites.length)} sites that is ${significant(noise.sum)} on sums over ${count(census.rows)} rows: ${significant(noise.perEntry)} on each covariance in scaled units, where every number column runs from −1 to 1.</p>
<p class="help">Cells: correlations from the assembled noisy covariance.<span class="narrow"> In hundredths.</span></p>
</div></div>
</section>

<section><h2>What a release tells about one person</h2>
<div class="two even"><div>
<p>Very little. Take someone who knows every other row of a site and has narrowed one row down to two versions. With that site’s release their best guess is right ${Math.round(guessesIn100(guarantee))} times in 100. A coin is right 50 times.</p>
${guessBar(guarantee)}</div>
<div>${details(
    `The exact definition: ε = ${guarantee.epsilon}, δ = ${probability(guarantee.delta)}`,
    `<p>For any two data sets of a site that differ in one ${guarantee.unit}, and any set S of files, P(release in S) is at most e<sup>ε</sup> times as large for one as for the other, plus δ. The same noise is ${significant(guarantee.gdp)}-GDP and ${significant(guarantee.zcdp)}-zCDP. Neighbours: ${guarantee.neighbours}.</p>`,
  )}${details(
    'What it rests on',
    `<ul>${guarantee.assumes.map((sentence) => `<li>${esc(sentence)}</li>`).join('')}</ul>`,
  )}${details(
    'What it does not protect',
    '<p>That a site took part, how many rows it has, and what is true of people like you whether or not you are in the file. Two releases of the same rows add up.</p>',
  )}</div></div>
</section>

<section><h2>What left each site</h2>
<p class="sub">One file each. It was written to bytes and read back, as if it had been sent.</p>
${siteTable(census)}
</section>

<section><h2>A cohort whose answer is known</h2>
<p class="sub">${count(cohort.rows)} simulated rows over ${inWords(cohort.sites.length)} sites, drawn from a population with canonical correlations ${list(cohort.pairs.map((pair) => correlation(pair.planted, 2)))}.</p>
<div class="two figure-words"><div>${correlationFigure(cohort, 'hatch-cohort')}</div>
<div><h3>In words</h3><p>${verdict(cohort.pairs)}</p><p>The planted ${correlation(cohort.pairs[0].planted, 2)} comes back as ${correlation(cohort.pairs[0].estimate)}. Sampling alone moves it to ${correlation(cohort.pairs[0].reference)}; the noise does the rest.</p></div></div>
${correlationTable(cohort)}
</section>

<section><h2>The same result in code</h2>
<pre tabindex="0"><code><u>import</u> { parseStudy, parseRelease, assemble } <u>from</u> <s>'private-moments'</s>;

<u>const</u> study = parseStudy(studyText);            <em>// ${esc(census.id.slice(0, 8))}…</em>
<u>const</u> moments = <u>await</u> assemble(study, texts.map(parseRelease));
<u>const</u> result = moments.cca({ x: <s>'${esc(census.views[0])}'</s>, y: <s>'${esc(census.views[1])}'</s>, components: ${pairs.length} });
</code></pre>
<p class="help">The study, the sites’ files and the releases of this run lie beside this report, in <code>census/</code>.</p>
</section>
</main>
<footer><div class="wrap"><p>Census sample: B. Becker and R. Kohavi, Adult, UCI Machine Learning Repository, 1996; CC BY 4.0 as listed there. Seven columns, some grouped. Noise is drawn afresh each time, so the next report differs a little.</p>
<p>private-moments ${esc(version)} · ${esc(made)}</p></div></footer>
</body>
</html>
`;
}
