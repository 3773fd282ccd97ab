// Chanyaswad, Liu and Mittal 2017: synthetic rows from Gaussians of reduced rows.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { claims } from './claims.mjs';
import { tables } from './tables.mjs';

const TASKS = ['clustering', 'classification', 'regression'];
const TITLES = {
  gfe: 'GFE, 23 572 × 301',
  digits: 'Digits, 1797 × 64',
  breast_cancer: 'Breast cancer, 569 × 30',
  buzz: 'Buzz, 20 000 × 77',
  diabetes: 'Diabetes, 442 × 10',
  breast_area: 'Breast area, 569 × 29',
  simulated: 'Simulated, 60 columns',
};

const FLOORS = ['real', 'real-pca', 'public-only', 'no-data'];
const OURS = ['pca-gauss-joint', 'pca-gauss-corrected', 'pca-gauss-published'];
const OTHERS = ['li', 'jiang', 'blum', 'liu', 'blocki', 'blocki-renyi', 'blocki-features'];

const panelOf = (...sets) => ({
  column: 'set',
  titles: Object.fromEntries(sets.map((set) => [set, TITLES[set]])),
});
const among = (...sets) => {
  const shown = new Set(sets);
  return ({ set }) => shown.has(set);
};
const byMethod = (...only) => ({ column: 'method', only: only.flat() });
const byComponents = {
  column: 'p',
  scale: 'log',
  label: 'directions p',
  from: 1,
  to: 16,
  ticks: [1, 2, 4, 8, 16],
};
const byEpsilon = { column: 'epsilon', scale: 'log', label: 'epsilon' };

const PICTURED = ['digits', 'breast_cancer', 'gfe', 'simulated'];
const NUMBERS = ['buzz', 'diabetes', 'breast_area', 'simulated'];

/** Whether Python has what the judge imports. */
function havePython() {
  return spawnSync('/usr/bin/python3', ['-c', 'import numpy, scipy, sklearn']).status === 0;
}

export const paper = {
  name: 'pca_gauss',
  page: 'pca-gauss.md',
  title: 'PCA-Gauss',
  source: 'Chanyaswad, Liu, Mittal 2017',
  data: ['gfe', 'digits', 'wine', 'breast_cancer', 'buzz', 'diabetes'],
  minutes: 20,
  async run({ quick, data, have, out, program, python }) {
    const simulated = mkdtempSync(path.join(tmpdir(), 'pca-gauss-'));
    const folders = this.data.some(have) ? [data, simulated] : [simulated];
    try {
      await program('simulated_rows', [simulated, quick ? '4000' : '58600']);
      await program('sir', [path.join(out, 'sir.csv'), ...folders]);
      if (quick && !havePython()) {
        console.log('pca_gauss: all but SIR is skipped, as python3 has no numpy, scipy or sklearn');
        return;
      }
      for (const task of TASKS) {
        const extent = quick ? 'quick' : 'full';
        await python('experiments/pca_gauss/judge.py', [task, out, extent, ...folders]);
      }
    } finally {
      rmSync(simulated, { recursive: true });
    }
  },
  figures: [
    {
      name: 'accuracy-p',
      title: 'Accuracy, by number of directions',
      note: 'Support vector machines; epsilon 1; mean and 95 % interval',
      description:
        'On digits joint sums rise to eight directions and stay far above the corrected form, which is best at four to eight; the published form is near no data. On breast cancer joint sums are flat near public rows only, and the published form falls from one direction on. On GFE joint sums and the corrected form rise with p, below public rows only. On the simulated set all methods are as good as real data.',
      where: among(...PICTURED),
      panel: panelOf(...PICTURED),
      series: byMethod(FLOORS, OURS, 'liu', 'blocki-renyi'),
      x: byComponents,
      y: { column: 'accuracy', from: 0, to: 1, label: 'accuracy' },
    },
    {
      name: 'sir',
      title: 'Signal to sensitivity (SIR), by number of directions',
      note: 'For each factor by which p of m directions are said to need less noise',
      description:
        'Every ratio but the last falls from one direction on; the claimed one by the square. The energy kept, which is the ratio of the spectrum, rises to 1.',
      where: among(...PICTURED),
      panel: panelOf(...PICTURED),
      series: { column: 'gain' },
      x: { column: 'p', scale: 'log', label: 'directions p' },
      y: { column: 'sir', scale: 'log', label: 'SIR', shared: false },
    },
    {
      name: 'accuracy-epsilon',
      title: 'Accuracy, by epsilon',
      note: 'p is 8 on digits and GFE, else 4; mean and 95 % interval',
      description:
        'Accuracy rises with epsilon. On digits and breast cancer joint sums are first; the corrected form needs a three to ten times larger epsilon, and the published form is last, on digits level with no data up to epsilon 3. No line is clearly above public rows only.',
      where: among(...PICTURED),
      panel: panelOf(...PICTURED),
      series: byMethod(FLOORS, OURS, 'pca-gauss-corrected-ag-pca', 'pca-gauss-joint-random'),
      x: byEpsilon,
      y: { column: 'accuracy', from: 0, to: 1, label: 'accuracy' },
    },
    {
      name: 'accuracy-baselines',
      csv: 'accuracy-epsilon',
      title: 'Accuracy of what it was compared with, by epsilon',
      note: 'p is 8 on digits and GFE, else 4; mean and 95 % interval',
      description:
        'On the real sets only Blocki by Rényi, Blocki with features and PCA-Gauss as published rise above no data up to epsilon 3. Public rows only are above all.',
      where: among(...PICTURED),
      panel: panelOf(...PICTURED),
      series: byMethod('no-data', 'public-only', 'pca-gauss-published', OTHERS),
      x: byEpsilon,
      y: { column: 'accuracy', from: 0, to: 1, label: 'accuracy' },
    },
    {
      name: 'rmse-epsilon',
      title: 'Error of a regression, by epsilon',
      note: 'Kernel ridge regression, labels in [-1, 1], p is 4; mean and 95 % interval',
      description:
        'On Buzz all forms of PCA-Gauss come close to no data, which is close to real data; Liu stays ten times above. On diabetes and breast area joint sums pass no data between epsilon 0.3 and 1 and public rows only at epsilon 10. On the simulated set joint sums have the error of real data at every epsilon from 0.3 on.',
      panel: panelOf(...NUMBERS),
      series: byMethod(FLOORS, OURS, 'liu', 'blocki-renyi'),
      x: byEpsilon,
      y: { column: 'rmse', scale: 'log', label: 'RMSE', shared: false },
    },
    {
      name: 'clusters-own',
      csv: 'clusters-p',
      title: 'Silhouette of the synthetic rows, as published',
      note: 'K-means of synthetic rows; epsilon 1; mean and 95 % interval',
      description:
        'The silhouettes of synthetic rows fall with the number of directions. Those of PCA-Gauss in all forms follow those of rows without data closely on digits and GFE, and lie above them on the simulated set.',
      where: among(...PICTURED),
      panel: panelOf(...PICTURED),
      series: byMethod(FLOORS, 'pca-gauss-spectrum', OURS, 'jiang', 'liu'),
      x: byComponents,
      y: { column: 'own_silhouette', from: -0.1, to: 0.7, label: 'silhouette' },
    },
    {
      name: 'clusters-real',
      csv: 'clusters-p',
      title: 'Silhouette of real rows in the clusters of synthetic ones',
      note: 'Real rows that no method saw; epsilon 1; mean and 95 % interval',
      description:
        'Real rows in clusters of PCA-Gauss have about half the silhouette of real data on digits and GFE, nearly all of it on breast cancer, and all of it on the simulated set. No data and the baselines are lower but on GFE, where intervals are wide.',
      where: among(...PICTURED),
      panel: panelOf(...PICTURED),
      series: byMethod(FLOORS, 'pca-gauss-spectrum', OURS, 'jiang', 'liu'),
      x: byComponents,
      y: { column: 'silhouette', from: -0.1, to: 0.7, label: 'silhouette' },
    },
    {
      name: 'clusters-agreement',
      csv: 'clusters-p',
      title: 'Agreement with the clusters of real rows',
      note: 'Adjusted Rand index; epsilon 1; mean and 95 % interval',
      description:
        'All forms of PCA-Gauss are near each other, above no data and the baselines, and below public rows only; on breast cancer the published and the corrected form fall from four directions on. On the simulated set they agree with real data fully.',
      where: among(...PICTURED),
      panel: panelOf(...PICTURED),
      series: byMethod(FLOORS, 'pca-gauss-spectrum', OURS, 'jiang', 'liu'),
      x: byComponents,
      y: { column: 'ari', from: 0, to: 1, label: 'adjusted Rand index' },
    },
  ],
  tables,
  claims,
};
