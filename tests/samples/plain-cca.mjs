// Canonical correlations as in textbooks, written independently of the library to test it.

/** Sample covariance (divisor n) of row-major values with d columns; d x d as nested arrays. */
export function covarianceOf(values, d) {
  const n = values.length / d;
  const mean = new Array(d).fill(0);
  values.forEach((v, at) => (mean[at % d] += v / n));
  const sum = Array.from({ length: d }, () => new Array(d).fill(0));
  for (let at = 0; at < values.length; at += d) {
    for (let i = 0; i < d; i++) {
      const a = values[at + i] - mean[i];
      for (let j = 0; j <= i; j++) sum[i][j] += a * (values[at + j] - mean[j]);
    }
  }
  return sum.map((row, i) => row.map((_, j) => (i >= j ? sum[i][j] : sum[j][i]) / n));
}

function cholesky(matrix) {
  const d = matrix.length;
  const factor = matrix.map((row) => row.map(() => 0));
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i][j];
      for (let k = 0; k < j; k++) rest -= factor[i][k] * factor[j][k];
      factor[i][j] = i === j ? Math.sqrt(rest) : rest / factor[j][j];
    }
  }
  return factor;
}

/** Solves factor * X = right for a lower triangular factor. */
function solveLower(factor, right) {
  const solved = [];
  for (let i = 0; i < factor.length; i++) {
    solved.push(
      right[i].map((value, c) => {
        let rest = value;
        for (let k = 0; k < i; k++) rest -= factor[i][k] * solved[k][c];
        return rest / factor[i][i];
      }),
    );
  }
  return solved;
}

const transposed = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));

/** Eigenvalues of a symmetric matrix by Jacobi's rotations, largest first. */
function eigenvalues(symmetric) {
  const a = symmetric.map((row) => [...row]);
  const d = a.length;
  for (let sweep = 0; sweep < 60; sweep++) {
    for (let p = 0; p < d; p++) {
      for (let q = p + 1; q < d; q++) {
        if (Math.abs(a[p][q]) < 1e-300) continue;
        const angle = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]);
        const c = Math.cos(angle);
        const s = Math.sin(angle);
        for (let k = 0; k < d; k++) {
          [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
        }
        for (let k = 0; k < d; k++) {
          [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
        }
      }
    }
  }
  return a.map((row, i) => row[i]).sort((x, y) => y - x);
}

/**
 * Canonical correlations between the first `dx` columns and the others.
 *
 * @param {Float64Array | number[]} values row-major, no column a linear function of the others
 * @param {number} d number of columns
 * @param {number} dx number of columns of the first view
 * @returns {number[]} min(dx, d - dx) values, largest first
 */
export function plainCca(values, d, dx) {
  const c = covarianceOf(values, d);
  const block = (from, to, left, right) => c.slice(from, to).map((row) => row.slice(left, right));
  const lx = cholesky(block(0, dx, 0, dx));
  const ly = cholesky(block(dx, d, dx, d));
  const half = solveLower(lx, block(0, dx, dx, d));
  const core = solveLower(ly, transposed(half));
  const gram = core.map((a) => core.map((b) => a.reduce((sum, v, k) => sum + v * b[k], 0)));
  return eigenvalues(gram)
    .slice(0, Math.min(dx, d - dx))
    .map((value) => Math.sqrt(Math.max(0, value)));
}
