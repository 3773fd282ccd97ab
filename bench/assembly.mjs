// The cost of assembling more and more releases: the time from their texts to moments, divided into
// parsing (JSON.parse of the same texts), checking structure and digest, and the rest (verifying against
// the study, summing). Texts are made one at a time outside the measured time, as
// if a server streamed them. After `make package`: node bench/assembly.mjs [features] [sites ...]
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import canonicalize from 'canonicalize';
import { assemble, defineStudy, parseRelease, privatize } from 'private-moments';

const [features = 100, ...sites] = process.argv.slice(2).map(Number);
const counts = sites.length > 0 ? sites : [10, 100, 1000, 10_000];

const names = Array.from({ length: features }, (_, i) => `x${i + 1}`);
const study = defineStudy({
  title: 'Assembly',
  columns: names.map((name) => ({ name, type: 'number', min: -1, max: 1 })),
  clipping: 'adaptive',
  privacy: { epsilon: 1, delta: 1e-6 },
});
const rows = Array.from({ length: 50 }, (_, row) =>
  Object.fromEntries(names.map((name, i) => [name, Math.sin(row * (i + 1))])),
);
const made = (await privatize(study, rows)).toJSON();
delete made.id;

/** The k-th of many releases, which differ only in one sum and the digest. */
function textOf(k) {
  const values = [...made.values];
  values[1] += k;
  const body = { ...made, values };
  const id = createHash('sha256').update(canonicalize(body)).digest('hex');
  return canonicalize({ ...body, id });
}

/** Yields one item after another and measures only the time between them. */
class Clock {
  spent = 0;
  bytes = 0;
  *texts(count) {
    for (let k = 0; k < count; ++k) {
      const text = textOf(k);
      this.bytes += text.length;
      const start = performance.now();
      yield text;
      this.spent += performance.now() - start;
    }
  }
  *parsed(count) {
    for (let k = 0; k < count; ++k) {
      const release = parseRelease(textOf(k));
      const start = performance.now();
      yield release;
      this.spent += performance.now() - start;
    }
  }
}

async function timed(run) {
  const clock = new Clock();
  await run(clock);
  return clock;
}

const costs = {
  parse: (count) =>
    timed((clock) => {
      for (const text of clock.texts(count)) JSON.parse(text);
    }),
  check: (count) =>
    timed((clock) => {
      for (const text of clock.texts(count)) parseRelease(text);
    }),
  sum: (count) => timed((clock) => assemble(study, clock.parsed(count))),
  total: (count) => timed((clock) => assemble(study, clock.texts(count))),
};

console.log(`${features} features: ${textOf(0).length} bytes per release, ms per release`);
console.log(
  '  sites  JSON.parse  structure+digest  verify+sum   total   MB/s  of JSON.parse alone',
);
await costs.total(20); // so that the code is compiled
for (const count of counts) {
  const parse = await costs.parse(count);
  const check = await costs.check(count);
  const sum = await costs.sum(count);
  const total = await costs.total(count);
  const each = (ms) => (ms / count).toFixed(3);
  const speed = ({ bytes, spent }) => bytes / spent / 1e3;
  console.log(
    [
      String(count).padStart(7),
      each(parse.spent).padStart(11),
      each(check.spent - parse.spent).padStart(17),
      each(sum.spent).padStart(11),
      each(total.spent).padStart(7),
      speed(total).toFixed(0).padStart(6),
      (speed(total) / speed(parse)).toFixed(2).padStart(6),
    ].join(' '),
  );
}
