// A CSV stream of a hundred million rows, made as it is read: every row is counted, covariances are
// those of its repeating block, and memory does not grow.
import { defineStudy, privatize } from 'private-moments';
import { exactMoments } from 'private-moments-research';
import { seeded } from '../support/random.mjs';

const COLUMNS = ['a', 'b', 'c'];
const BLOCK_ROWS = 100_000;
const MEGABYTE = 2 ** 20;

const study = defineStudy({
  title: 'Long stream',
  columns: COLUMNS.map((name) => ({ name, type: 'number', min: -1, max: 1 })),
  privacy: { epsilon: 1, delta: 1e-6 },
  clipping: 'fixed',
});

function block(seed) {
  const random = seeded(seed);
  const cell = () => (2 * random() - 1).toFixed(3);
  const rows = Array.from({ length: BLOCK_ROWS }, () => COLUMNS.map(cell).join(','));
  return new TextEncoder().encode(`${rows.join('\n')}\n`);
}

/** The stream of `blocks` copies of a block. `onBlock` hears how many have been read. */
function stream(bytes, blocks, onBlock) {
  let sent = -1;
  return new ReadableStream({
    pull(controller) {
      if (sent === blocks) return controller.close();
      controller.enqueue(sent < 0 ? new TextEncoder().encode(`${COLUMNS}\n`) : bytes.slice());
      sent += 1;
      if (sent > 0) onBlock(sent);
    },
  });
}

/** The covariances and means of moments without noise, in a list. */
function figuresOf({ rows, mean, covariance }) {
  return { rows, figures: [...mean.values, ...covariance.values] };
}

export const attack = {
  name: 'long-stream',
  promise: 'A stream of any length is read in constant memory, and every row of it counts.',
  minutes: 3,
  async run({ quick, seed, log }) {
    const blocks = quick ? 20 : 1000;
    const bytes = block(seed);
    const once = figuresOf(
      await exactMoments(
        study,
        stream(bytes, 1, () => {}),
      ),
    );
    let early = 0;
    let late = 0;
    const watch = (read) => {
      const used = process.memoryUsage().rss;
      if (read <= blocks / 5) early = Math.max(early, used);
      else late = Math.max(late, used);
      if (read % 100 === 0)
        log(`${(read * BLOCK_ROWS) / 1e6} million rows, ${Math.round(used / MEGABYTE)} MB`);
    };
    const all = figuresOf(await exactMoments(study, stream(bytes, blocks, watch)));
    const release = await privatize(
      study,
      stream(bytes, blocks, () => {}),
    );
    const errors = all.figures.map((figure, i) => Math.abs(figure - once.figures[i]));
    return {
      rows: blocks * BLOCK_ROWS,
      counted: all.rows,
      released: release.rows,
      error: Math.max(...errors),
      megabytes: Math.round(Math.max(early, late) / MEGABYTE),
      growth: Math.round((late - early) / MEGABYTE),
    };
  },
  tried: (n) => `${n.rows.toLocaleString('en-US')} rows in one stream, read twice`,
  found: (n) =>
    `${n.counted.toLocaleString('en-US')} counted; covariances equal those of the repeating block within ${n.error.toPrecision(1)}; at most ${n.megabytes} MB`,
  holds: (n) => n.counted === n.rows && n.released === n.rows && n.error < 1e-9 && n.growth < 50,
};
