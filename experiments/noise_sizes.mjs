// Prints the tables of noise sizes in docs/mechanisms, from the noise that releases of the mechanisms
// state. A test compares them with the pages.
//   node experiments/noise_sizes.mjs [gaussian|laplace|frobenius|two-sided-wishart|wishart|power-method]

import { fileURLToPath } from 'node:url';
import { defineStudy, privatize } from 'private-moments';

const RELATIONS = ['add-remove', 'replace-one'];
const FEATURES = [2, 5, 12, 100];

/** A release of `features` number columns; its rows do not matter, as noise is independent of them. */
async function releaseOf({ features, neighbours, privacy, mechanism, rowNorm = 1 }) {
  const names = Array.from({ length: features }, (_, i) => `c${i}`);
  const study = defineStudy({
    title: 'Noise sizes',
    columns: names.map((name) => ({ name, type: 'number', min: -1, max: 1 })),
    unit: 'row',
    neighbours,
    privacy,
    mechanism,
    rowNorm,
  });
  const rows = new Float64Array(features);
  return privatize(study, { columns: names, values: rows });
}

/** Standard deviations of an entry on and off the diagonal, in units of the squared row norm. */
async function deviations(name, features, neighbours, rowNorm = 1) {
  const privacy = { epsilon: 1, delta: 0 };
  const release = await releaseOf({ features, neighbours, privacy, mechanism: { name }, rowNorm });
  return [release.noise.sdDiagonal, release.noise.sdOffDiagonal].map((sd) => sd / rowNorm ** 2);
}

/** Root mean square of the noise's Frobenius norm, constant coordinate included. */
async function norm(name, features, neighbours, rowNorm = 1) {
  const [diagonal, other] = await deviations(name, features, neighbours, rowNorm);
  const size = features + 1;
  // Under replace-one the number of rows is public.
  const counted = neighbours === 'replace-one' ? size - 1 : size;
  return Math.sqrt(counted * diagonal ** 2 + size * (size - 1) * other ** 2);
}

/** Three significant digits. */
function short(value) {
  return value >= 1000 ? `${Math.round(Number(value.toPrecision(3)))}` : value.toPrecision(3);
}

const promise = (epsilon, delta) => `${epsilon}, 10^${Math.round(Math.log10(delta))}`;
const rule = (columns) => `|${'---|'.repeat(columns)}`;
const line = (cells) => `| ${cells.join(' | ')} |`;

async function table(head, rows) {
  const lines = [line([head, 'D = 2', '5', '12', '100']), rule(5)];
  for (const [title, cell] of rows) {
    const cells = [];
    for (const features of FEATURES) cells.push(await cell(features));
    lines.push(line([title, ...cells]));
  }
  return lines.join('\n');
}

const tables = {
  /** 1/μ, and what calibration through zCDP would need instead. */
  async gaussian() {
    const lines = [line(['ε, δ', '1/μ', 'calibrated through zCDP']), rule(3)];
    for (const [epsilon, delta] of [
      [0.1, 1e-5],
      [0.5, 1e-6],
      [1, 1e-6],
      [1, 1e-5],
      [4, 1e-6],
      [10, 1e-10],
    ]) {
      const of = { features: 2, neighbours: 'add-remove', privacy: { epsilon, delta } };
      const { guarantee } = await releaseOf({ ...of, mechanism: { name: 'gaussian' } });
      const through = 1 / Math.sqrt(2 * rhoFor(epsilon, delta));
      lines.push(line([promise(epsilon, delta), short(1 / guarantee.gdp), short(through)]));
    }
    return lines.join('\n');
  },

  laplace() {
    const one = async (features, neighbours, rowNorm) => {
      const [sd] = await deviations('laplace', features, neighbours, rowNorm);
      return sd;
    };
    // The deviation of Laplace noise of scale Λ/ε is √2 Λ/ε, and ε is 1.
    const bound = async (...of) => short((await one(...of)) / Math.SQRT2);
    const frobenius = async (features, neighbours) =>
      (await deviations('frobenius', features, neighbours)).map(short).join(' / ');
    return table('', [
      ['Λ, add-remove', (d) => bound(d, 'add-remove')],
      ['Λ, replace-one, R = 1', (d) => bound(d, 'replace-one')],
      ['Λ, replace-one, R = √D', (d) => bound(d, 'replace-one', Math.sqrt(d))],
      ['sd, add-remove', async (d) => short(await one(d, 'add-remove'))],
      ['sd of `frobenius`, add-remove', (d) => frobenius(d, 'add-remove')],
      ['sd, replace-one, R = √D', async (d) => short(await one(d, 'replace-one', Math.sqrt(d)))],
      ['sd of `frobenius`, replace-one', (d) => frobenius(d, 'replace-one')],
    ]);
  },

  frobenius() {
    const root =
      (name, neighbours, norms = () => 1) =>
      async (d) =>
        short(await norm(name, d, neighbours, norms(d)));
    return table('root mean square of \\|noise\\|\\_F', [
      ['`frobenius`, add-remove', root('frobenius', 'add-remove')],
      ['`laplace`, add-remove', root('laplace', 'add-remove')],
      ['`frobenius`, replace-one', root('frobenius', 'replace-one')],
      ['`laplace`, replace-one, R = √D', root('laplace', 'replace-one', Math.sqrt)],
      ['`laplace`, replace-one, R = 1', root('laplace', 'replace-one')],
    ]);
  },

  'two-sided-wishart'() {
    return table(
      'root mean square of the noise',
      RELATIONS.flatMap((neighbours) =>
        ['two-sided-wishart', 'frobenius'].map((name) => [
          `\`${name}\`, ${neighbours}`,
          async (d) => short(await norm(name, d, neighbours)),
        ]),
      ),
    );
  },

  /** The degrees of freedom m = ν - D of a plan, of two equal steps and of Sheffet's constants. */
  async wishart() {
    const degrees = async (neighbours, epsilon, delta) => {
      const of = { features: 2, neighbours, privacy: { epsilon, delta } };
      const { noise } = await releaseOf({ ...of, mechanism: { name: 'wishart' } });
      return Number(noise.parameters.degreesOfFreedom) - 2;
    };
    const heads = ['ε, δ', 'add-remove', 'replace-one', 'two equal steps', 'Sheffet 2019'];
    const lines = [line(heads), rule(5)];
    for (const [epsilon, delta] of [
      [0.1, 1e-5],
      [0.5, 1e-6],
      [1, 1e-5],
      [1, 1e-6],
      [2, 1e-5],
    ]) {
      const half = epsilon / 2;
      const cells = [
        await degrees('add-remove', epsilon, delta),
        await degrees('replace-one', epsilon, delta),
        await degrees('add-remove', half, delta / (1 + Math.exp(half))),
        Math.floor((28 * Math.log(4 / delta)) / epsilon ** 2) + 1,
      ];
      lines.push(line([promise(epsilon, delta), ...cells]));
    }
    return lines.join('\n');
  },

  async 'power-method'() {
    const lines = [
      line(['k, L, (ε, δ)', 'add-remove', 'replace-one', 'scale of Hardt and Price']),
      rule(4),
    ];
    for (const [components, rounds, epsilon, delta] of [
      [1, 5, 1, 1e-5],
      [2, 8, 1, 1e-5],
      [3, 10, 0.5, 1e-6],
    ]) {
      const mechanism = { name: 'power-method', components, rounds };
      const cells = [];
      for (const neighbours of RELATIONS) {
        const privacy = { epsilon, delta };
        const release = await releaseOf({ features: 5, neighbours, privacy, mechanism });
        const { bits, parameters } = release.noise;
        cells.push(((16 * Number(parameters.w)) / 4 ** bits).toFixed(2));
      }
      const published = Math.sqrt(4 * components * rounds * Math.log(1 / delta)) / epsilon;
      const title = `${components}, ${rounds}, (${promise(epsilon, delta)})`;
      lines.push(line([title, ...cells, published.toFixed(2)]));
    }
    return lines.join('\n');
  },
};

/** The largest ρ for which ρ-zCDP implies (ε, δ), by proposition 12 of Canonne, Kamath, Steinke 2020. */
function rhoFor(epsilon, delta) {
  let [low, high] = [0, epsilon];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (logDeltaOf(middle, epsilon) <= Math.log(delta)) low = middle;
    else high = middle;
  }
  return low;
}

function logDeltaOf(rho, epsilon) {
  let least = Infinity;
  for (let step = -600; step <= 1200; step++) {
    const over = 10 ** (step / 200);
    const alpha = 1 + over;
    const log = over * (alpha * rho - epsilon) - Math.log(over) + alpha * Math.log1p(-1 / alpha);
    least = Math.min(least, log);
  }
  return least;
}

/** The pages that have such a table, and the table of each. */
export const names = Object.keys(tables);
export const tableOf = (name) => tables[name]();

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = process.argv.slice(2);
  for (const name of asked.length === 0 ? names : asked) console.log(`${await tableOf(name)}\n`);
}
