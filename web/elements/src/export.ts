import type { Matrix } from 'private-moments';
import type { AnalysisResult } from './analysis-result.js';

/** The whole result as JSON, with what is needed to know where it came from. */
export function resultJson(result: AnalysisResult, releases: readonly string[]): string {
  const { moments, cca, pca } = result;
  const content = {
    study: { id: moments.study.id, title: moments.study.title },
    releases,
    rows: moments.rows,
    guarantee: moments.guarantee,
    mean: moments.mean,
    covariance: moments.covariance,
    noise: moments.noise,
    ...(cca === undefined ? {} : { cca }),
    pca,
  };
  const plain = (_key: string, value: unknown): unknown =>
    value instanceof Float64Array ? Array.from(value) : value;
  return `${JSON.stringify(content, plain, 2)}\n`;
}

/** Every number of the result as one row: analysis, quantity, view, component, column, value. */
export function resultCsv({ moments, cca, pca }: AnalysisResult): string {
  const lines: (string | number)[][] = [
    ['analysis', 'quantity', 'view', 'component', 'column', 'value', 'below_noise_floor'],
  ];
  if (cca !== undefined) {
    lines.push(['cca', 'noise floor', '', '', '', cca.noiseFloor, '']);
    cca.correlations.forEach(({ value, belowNoiseFloor }, i) => {
      lines.push(['cca', 'correlation', '', i + 1, '', value, String(belowNoiseFloor)]);
    });
    for (const [view, { weights, loadings }] of Object.entries(cca.views)) {
      lines.push(
        ...cells('cca', 'weight', view, weights),
        ...cells('cca', 'loading', view, loadings),
      );
    }
  }
  lines.push(['pca', 'noise floor', '', '', '', pca.noiseFloor, '']);
  pca.explained.forEach(({ value, share, belowNoiseFloor }, i) => {
    lines.push(['pca', 'variance', '', i + 1, '', value, String(belowNoiseFloor)]);
    lines.push(['pca', 'share', '', i + 1, '', share, String(belowNoiseFloor)]);
  });
  lines.push(...cells('pca', 'weight', '', pca.weights));
  moments.columns.forEach((column, i) => {
    lines.push(['moments', 'mean', '', '', column, moments.mean.values[i] ?? 0, '']);
  });
  return lines.map((line) => `${line.map(field).join(',')}\n`).join('');
}

function cells(
  analysis: string,
  quantity: string,
  view: string,
  { rows, columns, values }: Matrix,
): (string | number)[][] {
  return rows.flatMap((row, i) =>
    columns.map((_, k) => [
      analysis,
      quantity,
      view,
      k + 1,
      row,
      values[i * columns.length + k] ?? 0,
      '',
    ]),
  );
}

function field(value: string | number): string {
  const text = String(value);
  // A name that starts like a formula would be run by a spreadsheet.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
