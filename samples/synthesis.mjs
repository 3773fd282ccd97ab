// Draws synthetic rows from a private model of the census sample, and reports what they preserve.
//   node samples/synthesis.mjs [--epsilon NUMBER] [--label COLUMN] [--out FILE.csv]

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { defineStudy, synthesize } from 'private-moments';
import { guaranteeInWords } from 'private-moments/words';
import { censusCsv, censusStudy } from './split.mjs';

const { epsilon, label, out } = parseArgs({
  options: {
    epsilon: { type: 'string', default: '1' },
    label: { type: 'string', default: 'occupation' },
    out: { type: 'string' },
  },
}).values;

const study = defineStudy({
  ...censusStudy(),
  privacy: { epsilon: Number(epsilon), delta: 1e-6 },
  federation: { mode: 'independent' },
});
const synthetic = await synthesize(study, censusCsv(), { label });
if (out !== undefined) writeFileSync(out, synthetic.toCSV());

const shown = (number) => (number === null ? '' : number.toFixed(3)).padStart(10);
const line = (name, { released, low, high, synthetic: drawn, inside }) =>
  `${name.padEnd(36)}${[released, low, high, drawn].map(shown).join('')}  ${inside ? 'yes' : 'no'}`;

const { rows, local, guarantee, model } = synthetic;
const kept = synthetic.preserves();
console.log(`${rows} rows drawn from a model of ${local.rows} (label ${model.label}).`);
console.log(guaranteeInWords(guarantee).join('\n'));
console.log(
  `\n${'figure'.padEnd(36)}${['released', 'low', 'high', 'drawn'].map((word) => word.padStart(10)).join('')}  inside`,
);
for (const each of kept.means) console.log(line(`mean ${each.column}`, each));
for (const each of kept.deviations) console.log(line(`deviation ${each.column}`, each));
const strongest = kept.correlations
  .filter(({ released }) => Math.abs(released) > 0.2)
  .sort((a, b) => Math.abs(b.released) - Math.abs(a.released));
for (const each of strongest) console.log(line(each.columns.join(', '), each));
for (const each of kept.canonicalCorrelations) {
  console.log(line(`canonical correlation ${each.component}`, each));
}
console.log(`\n${kept.summary}`);
