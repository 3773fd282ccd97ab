// Prints the largest resident memory, in MB, of a Node process that makes one release of 1000 rows. The
// argument is the number of columns; 0 only loads the package.
import { defineStudy, load, privatize } from 'private-moments';

const d = Number(process.argv[2]);
if (d === 0) await load();
else {
  const columns = Array.from({ length: d }, (_, i) => `x${i}`);
  const study = defineStudy({
    title: 'bench',
    columns: columns.map((name) => ({ name, type: 'number', min: 0, max: 1 })),
    privacy: { epsilon: 1, delta: 1e-6 },
  });
  const values = Float64Array.from({ length: 1000 * d }, (_, i) => (i % 97) / 97);
  await privatize(study, { columns, values });
}
console.log(process.resourceUsage().maxRSS / 1e3);
