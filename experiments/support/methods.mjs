// The methods that experiments compare: names, colours and order, the same in every figure.
//
// A family of methods has one colour. Solid lines are this library's, dashed ones are published
// forms, dotted ones have no guarantee at all or need no data.

const SOLID = '';
const DASHED = '5 2.5';
const DOTTED = '1.2 2.4';

/** key: [label, colour, dashes], in the order of legends and tables. */
const METHODS = {
  'non-private': ['without privacy', 'ink', DOTTED],
  real: ['real data', 'ink', DOTTED],
  'real-pca': ['real data, PCA', 'ink', DASHED],
  svd: ['SVD, not private', 'ink', DOTTED],
  'public-only': ['public rows only', 'quiet', DASHED],
  zero: ['answering zero', 'quiet', DOTTED],
  'multiple-of-identity': ['best multiple of I', 'quiet', DASHED],
  random: ['random directions', 'quiet', DOTTED],
  'no-data': ['no data', 'quiet', DOTTED],

  pooled: ['pooled', 'green', SOLID],
  'pooled-denoised': ['pooled, denoised', 'teal', SOLID],
  'pooled-floored': ['pooled, floored', 'blue', SOLID],
  'pooled-ridged': ['pooled, ridged', 'orange', SOLID],
  'pooled-published': ['pooled, read as published', 'green', DASHED],
  'pooled-paper': ['pooled as published', 'green', DASHED],
  'dp-cca-aware': ['DP-CCA, our reading', 'purple', SOLID],
  'dp-cca': ['DP-CCA as published', 'purple', DASHED],
  split: ['split', 'blue', SOLID],
  denoised: ['split, denoised', 'teal', SOLID],
  ring: ['ring', 'teal', SOLID],
  'cape-joint': ['capeCCA, calibrated jointly', 'purple', SOLID],
  'cape-published': ['capeCCA as published', 'purple', DASHED],
  'cape-aware': ['capeCCA, our reading', 'olive', DASHED],
  'cape-rows': ['capeCCA, by rows', 'olive', DASHED],
  'cape-triangles': ['capeCCA, upper triangles', 'purple', DOTTED],
  conventional: ['conventional', 'orange', DASHED],
  local: ['one site alone', 'red', DASHED],

  claimed: ['as claimed', 'ink', DOTTED],
  'one-holder': ['one row replaced', 'purple', SOLID],
  'zeroed-row': ['one message, row to zero', 'green', SOLID],
  'one-message': ['one message', 'blue', SOLID],
  'published-sum': ['the published sum', 'olive', SOLID],
  'all-messages': ['all messages', 'orange', SOLID],
  colluding: ['all messages, 3 sites', 'red', SOLID],
  'two-honest': ['all messages, 8 sites', 'red', DASHED],

  gaussian: ['gaussian', 'blue', SOLID],
  'gaussian-upper': ['gaussian, upper triangle', 'blue', DASHED],
  'gaussian-analytic': ['Gaussian, exact calibration', 'blue', DASHED],
  'gaussian-classical': ['Gaussian as published', 'blue', DOTTED],
  'gaussian-code': ['Gaussian, authors’ code', 'teal', DOTTED],
  ag: ['Analyze Gauss', 'blue', DASHED],
  'two-sided-wishart': ['two-sided Wishart', 'green', SOLID],
  wishart: ['Wishart', 'olive', SOLID],
  sn: ['symmetric noise', 'green', DOTTED],
  frobenius: ['frobenius', 'teal', SOLID],
  laplace: ['Laplace, tight', 'orange', SOLID],
  'laplace-published': ['Laplace, 2d / epsilon', 'orange', DASHED],
  'power-method': ['power method', 'purple', SOLID],
  ppm: ['power method as published', 'purple', DASHED],
  ppca: ['PPCA', 'red', SOLID],
  'ppca-gibbs': ['PPCA, Gibbs', 'red', DASHED],
  'it-r': ['IT-R', 'purple', SOLID],
  'it-u': ['IT-U', 'purple', DOTTED],
  ad: ['AD, epsilon / 2', 'red', SOLID],
  'ad-published': ['AD, epsilon / 4', 'red', DASHED],
  'ad-code': ['AD, authors’ code', 'red', DOTTED],
  kt: ['Kapralov, Talwar', 'olive', DASHED],
  'kt-code': ['the same, authors’ code', 'olive', DOTTED],
  'output-perturbation': ['output perturbation', 'quiet', DASHED],
  bound: ['bound', 'ink', DASHED],

  claim: ['what is claimed', 'ink', DOTTED],
  theory: ['by the formula', 'quiet', DASHED],
  'cape-message': ['one message, exactly calibrated', 'red', DASHED],
  'split-honest': ['split, all honest', 'teal', SOLID],

  'cca-aware': ['this library', 'blue', SOLID],
  'cca-floor': ['floor at the edge', 'teal', DASHED],
  'cca-ridge': ['ridge at the edge', 'orange', DASHED],
  'cca-raw': ['raw whitening', 'red', DOTTED],

  participant: ['unit participant, masks', 'blue', SOLID],
  'participant-unmasked': ['unit participant, no masks', 'orange', DASHED],
  'row-divided': ['unit row, mu divided by k', 'purple', SOLID],
  'row-claimed': ['unit row, a wrong claim', 'red', DOTTED],
  'first-row': ['first row of each', 'green', SOLID],
  'mean-row': ['mean row of each', 'olive', SOLID],

  raw: ['as released', 'red', DOTTED],
  denoise: ['denoise', 'blue', SOLID],
  'trace-projection': ['trace projection', 'orange', DASHED],
  rie: ['RIE', 'green', DASHED],
  'james-stein': ['James-Stein', 'purple', DASHED],
  'james-stein-projected': ['James-Stein, projected', 'purple', DOTTED],
  'james-stein-rie': ['James-Stein, RIE', 'olive', DOTTED],
  'soft-threshold': ['soft threshold', 'teal', DASHED],

  'clip-adaptive': ['adaptive, bound too wide', 'blue', SOLID],
  'clip-right': ['right bound', 'green', DASHED],
  'clip-wide': ['bound too wide', 'red', DASHED],
  'clip-narrow': ['bound too narrow', 'orange', DASHED],

  'centred-expert': ['expert’s bounds, centred', 'green', SOLID],
  'uncentred-expert': ['expert’s, not centred', 'green', DASHED],
  'centred-careful': ['careful bounds, centred', 'blue', SOLID],
  'uncentred-careful': ['careful, not centred', 'blue', DASHED],
  'centred-wide': ['wide bounds, centred', 'orange', SOLID],
  'uncentred-wide': ['wide, not centred', 'orange', DASHED],

  'pca-gauss-joint': ['PCA-Gauss, joint sums', 'blue', SOLID],
  'pca-gauss-joint-laplace': ['joint sums, Laplace', 'blue', SOLID],
  'pca-gauss-joint-gaussian': ['joint sums, Gaussian', 'blue', SOLID],
  'pca-gauss-joint-shared': ['joint sums, shared covariance', 'blue', SOLID],
  'pca-gauss-joint-random': ['joint sums, random directions', 'teal', SOLID],
  'pca-gauss-joint-gaussian-random': ['joint sums, Gaussian, random directions', 'teal', SOLID],
  'pca-gauss-joint-wishart-pca': ['joint sums, Wishart-PCA', 'blue', SOLID],
  'pca-gauss-joint-gaussian-ag-pca': ['joint sums, Gaussian, AG-PCA', 'blue', SOLID],
  'pca-gauss-corrected': ['PCA-Gauss, corrected', 'green', SOLID],
  'pca-gauss-corrected-frobenius': ['corrected, Frobenius', 'green', SOLID],
  'pca-gauss-corrected-wishart': ['corrected, Wishart', 'green', SOLID],
  'pca-gauss-corrected-gaussian': ['corrected, Gaussian', 'green', SOLID],
  'pca-gauss-corrected-lap-pca': ['corrected, Lap-PCA', 'orange', SOLID],
  'pca-gauss-corrected-ag-pca': ['corrected, AG-PCA', 'olive', SOLID],
  'pca-gauss-corrected-gaussian-ag-pca': ['corrected, Gaussian, AG-PCA', 'olive', SOLID],
  'pca-gauss-corrected-wishart-pca': ['corrected, Wishart-PCA', 'green', SOLID],
  'pca-gauss-corrected-wishart-split': ['corrected, Wishart-PCA of other rows', 'green', SOLID],
  'pca-gauss-shared': ['corrected, shared covariance', 'green', SOLID],
  'pca-gauss-shared-wishart': ['corrected, Wishart, shared covariance', 'green', SOLID],
  'pca-gauss-spectrum': ['spectrum', 'olive', SOLID],
  'pca-gauss-published': ['PCA-Gauss as published', 'purple', DASHED],
  'pca-gauss-published-lap-pca': ['as published, Lap-PCA', 'orange', DASHED],
  li: ['Li', 'orange', DASHED],
  'li-private-labels': ['Li, private labels', 'orange', DASHED],
  jiang: ['Jiang', 'red', DASHED],
  'jiang-private-labels': ['Jiang, private labels', 'red', DASHED],
  'jiang-lda': ['Jiang, LDA', 'red', DASHED],
  blum: ['Blum, Ligett, Roth', 'olive', DASHED],
  liu: ['Liu', 'teal', DASHED],
  'liu-tight': ['Liu, tight', 'teal', SOLID],
  blocki: ['Blocki as published', 'red', DOTTED],
  'blocki-renyi': ['Blocki, by Rényi', 'olive', SOLID],
  'blocki-features': ['Blocki, features', 'teal', DOTTED],

  'sir-quadratic': ['(m/p)², as claimed', 'red', DASHED],
  'sir-upper': ['upper triangle in a box', 'orange', SOLID],
  'sir-linear': ['m/p, as in the code', 'purple', DASHED],
  'sir-corrected': ['corrected', 'green', SOLID],
  'sir-spectrum': ['spectrum: energy kept', 'blue', SOLID],
};

const ORDER = new Map(Object.keys(METHODS).map((key, place) => [key, place]));

export function method(key) {
  const known = METHODS[key];
  if (!known) throw new Error(`support/methods.mjs does not know ${key}`);
  const [label, colour, dashes] = known;
  return { key, label, colour, dashes };
}

export const inOrder = (keys) => [...keys].sort((a, b) => ORDER.get(a) - ORDER.get(b));
