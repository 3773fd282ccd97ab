import { assemble, defineStudy, privatize } from 'private-moments';

const study = defineStudy({
  title: 'Steps and sleep',
  columns: [
    { name: 'steps', type: 'number', min: 0, max: 40000 },
    { name: 'sleep_h', type: 'number', min: 0, max: 14 },
  ],
  unit: 'row',
  neighbours: 'replace-one',
  privacy: { epsilon: 1, delta: 1e-6 },
});

const csv = `steps,sleep_h
8000,7
4000,6.5
12000,8
6500,5.5
9100,7.5
`;

/** Makes a release, as a site does, and analyses it in a worker, as an analyst does. */
export async function countRows() {
  const release = await privatize(study, new Blob([csv]));
  const moments = await assemble(study, [release]);
  const { rows } = await moments.inWorker().pca();
  return `rows ${rows}`;
}
