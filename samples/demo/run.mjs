// Runs a study from the sites' files to the analyst's results, using the public API only.

import { openAsBlob } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { assemble, parseRelease, parseStudy, privatize } from 'private-moments';
import { exactMoments } from 'private-moments-research';

/** Confidence level of the intervals. */
const LEVEL = 0.95;

async function timed(work) {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

/** One site's part: reads its CSV file, makes a release and writes it beside that file, as if to send it. */
async function takePart(study, path) {
  const file = await openAsBlob(path, { type: 'text/csv' });
  const { value: release, ms } = await timed(() => privatize(study, file));
  const packed = new Uint8Array(await release.toBlob().arrayBuffer());
  const sent = path.replace(/\.csv$/, '.release.json');
  await writeFile(sent, packed);
  return {
    name: basename(path, '.csv'),
    rows: release.rows,
    read: file.size,
    sent: packed.length,
    ms,
    id: release.id,
    noise: release.noise,
    path: sent,
  };
}

/** The exact moments of all rows in one place, which nobody could compute in a real study. */
async function pooled(study, paths) {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const [header] = texts[0].split('\n', 1);
  const rows = texts.map((text) => text.slice(text.indexOf('\n') + 1));
  return exactMoments(study, new Blob([header, '\n', ...rows], { type: 'text/csv' }));
}

/**
 * Runs a study over the CSV files of its sites.
 *
 * @param {object} options
 * @param {string} options.folder holds study.json; releases are written next to the CSV files
 * @param {string[]} options.paths the sites' CSV files
 * @param {[string, string]} options.views names of the two views to relate
 * @param {number} options.components canonical pairs to report
 * @param {number[]} [options.planted] true canonical correlations, if known
 * @param {(site: object) => void} [options.onSite] called when a site is done
 */
export async function runStudy({ folder, paths, views, components, planted, onSite }) {
  const study = parseStudy(await readFile(join(folder, 'study.json'), 'utf8'));
  const sites = [];
  for (const path of paths) {
    const site = await takePart(study, path);
    sites.push(site);
    onSite?.(site);
  }

  const request = { x: views[0], y: views[1], components };
  const assembled = await timed(async () => {
    const releases = [];
    for (const site of sites) releases.push(parseRelease(await readFile(site.path)));
    return assemble(study, releases);
  });
  const analysed = await timed(() => assembled.value.cca({ ...request, level: LEVEL }));
  const exact = await pooled(study, paths);
  const reference = exact.cca(request);

  return {
    title: study.title,
    id: study.id,
    study,
    views,
    sites,
    moments: assembled.value,
    result: analysed.value,
    spread: assembled.value.pca({ level: LEVEL }),
    reference,
    rows: assembled.value.rows,
    guarantee: assembled.value.guarantee,
    planted: planted !== undefined,
    pairs: analysed.value.correlations.map((pair, i) => ({
      estimate: pair.value,
      noiseFloor: pair.noiseFloor,
      belowNoiseFloor: pair.belowNoiseFloor,
      reference: reference.correlations[i].value,
      ...(planted === undefined ? {} : { planted: planted[i] ?? 0 }),
    })),
    times: {
      privatize: sites.reduce((sum, site) => sum + site.ms, 0),
      assemble: assembled.ms,
      analyse: analysed.ms,
    },
  };
}
