import type { LdaResult } from '../analysis/methods/lda.js';
import type { PlsRegressionResult } from '../analysis/methods/pls.js';
import type { Plain } from '../output/results.js';
import { heatTable, plainTable } from './figures.js';
import { capitalised, correlation, ordinal, percent, signed, significant } from './format.js';
import { markup, type Markup } from './markup.js';
import { columnName, namer, namerWithUnit } from './names.js';
import { loadingAt, loadingRange, readingOf, type ReadableResult } from './readings.js';
import { at } from './weights.js';

/** The section of a result that is read by its loadings. */
export function readingSection(result: ReadableResult): Markup {
  const reading = readingOf(result);
  const { title, sub, what, finding, figures, heads, cells, loading, parts } = reading;
  const faint = (k: number): boolean => figures[k]?.belowNoiseFloor === true;
  const written = namer(result.origin);
  const body = figures.map((_, k) => ({
    faint: faint(k),
    cells: [ordinal(k), ...(cells[k] ?? []), faint(k) ? 'below: do not interpret' : 'above'] as (
      string | Markup
    )[],
  }));
  const tables = parts.map((part) => {
    const { rows, columns } = part.loadings;
    const kept = rows.flatMap((_, i) => (columns.some((_, k) => part.has(i, k)) ? [i] : []));
    const caption = part.name === '' ? 'Loadings' : `Loadings of ${part.name}`;
    if (kept.length === 0)
      return markup`<div><p class="sub">${caption}: no column has a weight.</p></div>`;
    return markup`${part.name === '' ? undefined : markup`<h3>${capitalised(part.name)}</h3>`}${heatTable(
      {
        caption,
        rows: kept.map((i) => written(rows[i] ?? '')),
        columns,
        entry: (row, k) => loadingAt(part, kept[row] ?? 0, k),
        limit: 1,
        text: (value) => correlation(value),
        range: (row, k) => (faint(k) ? undefined : loadingRange(part, kept[row] ?? 0, k)),
        faint,
      },
    )}`;
  });
  return markup`<section><h2>${title}</h2><p class="sub">${sub}</p><div class="words"><h3>In words</h3><p>${finding}</p></div>${plainTable([capitalised(what), ...heads, 'Against the floor'], body, title)}<section><h3>Loadings</h3><p class="sub">${capitalised(loading)}. What is below the noise floor is grey: do not interpret it.</p>${parts.length > 1 ? markup`<div class="two">${tables}</div>` : tables}</section>${moreOf(result)}</section>`;
}

function moreOf(result: ReadableResult): Markup | undefined {
  if (result.analysis === 'lda') return levelsOf(result as Plain<LdaResult>);
  if (result.analysis === 'plsRegression') return fitOf(result as Plain<PlsRegressionResult>);
  return undefined;
}

/** The mean scores of the levels. */
function levelsOf({ centroids, classes, options, origin }: Plain<LdaResult>): Markup {
  const body = classes.map(({ level, share, belowNoiseFloor }, c) => ({
    faint: belowNoiseFloor,
    cells: [
      level,
      percent(share),
      ...centroids.columns.map((_, k) => significant(at(centroids, c, k))),
    ],
  }));
  const target = columnName(origin.study, options.target);
  return markup`<section><h3>Levels of ${target}</h3><p class="sub">The mean score of each level, in standard deviations within levels.</p>${plainTable(['Level', 'Share', ...centroids.columns], body, `Levels of ${target}`)}</section>`;
}

/** Coefficients, and how well they predict. */
function fitOf({ coefficients, origin, targets }: Plain<PlsRegressionResult>): Markup {
  const written = namerWithUnit(origin);
  const names = targets.map(({ target }) => namer(origin)(target));
  const fits = targets.map(({ r2, intercept, residualSd }, j) => ({
    cells: [names[j] ?? '', percent(r2), significant(residualSd, 3), significant(intercept, 3)],
  }));
  const body = coefficients.rows.map((name, i) => ({
    cells: [written(name), ...names.map((_, j) => signed(at(coefficients, i, j)))],
  }));
  return markup`<section><h3>Fit</h3>${plainTable(['Target', 'Share explained', 'Typical error', 'Intercept'], fits, 'Fit')}<p class="sub">Change of each target per unit of the column.</p>${plainTable(['Column', ...names], body, 'Coefficients')}</section>`;
}
