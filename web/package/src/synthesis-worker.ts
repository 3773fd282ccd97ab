/**
 * The worker that owns the rows of one synthesis. They are held in its memory, become one model
 * with noise and are wiped; what goes to the page is the model and rows drawn from it.
 */
import factory from 'private-moments-synthesis-glue';
import { readAlone, readCounted } from './alone.js';
import { requireReadable } from './data.js';
import { guaranteeOf } from './envelope.js';
import { RowFeed } from './ingest.js';
import { instantiate } from './loader.js';
import { marksOf } from './marks.js';
import type { Page } from './page.js';
import { intakeOptions } from './plan.js';
import type { PostedJob } from './protocol.js';
import { serve } from './serve.js';
import type { SynthesisOrder, SynthesisOutcome } from './synthesis/engine.js';
import type { RowTable, SynthesisCore } from './synthesis/raw.js';
import { unwrap } from './unwrap.js';

/** Leaves room for what is made of the rows within the two gigabytes that a module can have. */
const MOST_BYTES = 3 * 2 ** 29;

let table: RowTable | undefined;

serve({ start: (module) => instantiate<SynthesisCore>(module, factory), run });

async function run(
  core: SynthesisCore,
  page: Page<SynthesisOutcome>,
  { order, plan, source, secrets }: PostedJob<SynthesisOrder>,
): Promise<void> {
  const { spec, columns } = plan;
  const options = { ...spec, ...intakeOptions(plan), ...order.terms, bytes: MOST_BYTES };
  const held = (table ??= unwrap(core.createTable(options), columns).table);
  if (order.task === 'public') {
    const rows = held.publicRows();
    try {
      await readAlone(page, source, plan, new RowFeed(rows, plan, core), () => undefined);
    } finally {
      rows.delete();
    }
    page.post({ type: 'done', outcome: { task: 'public' } });
    return;
  }
  try {
    const { local, digest } = await readCounted(
      page,
      { plan, source, secrets },
      () => held.counts(),
      (onRead, digesting) =>
        readAlone(page, source, plan, new RowFeed(held, plan, core), onRead, digesting),
    );
    requireReadable(local);
    if (secrets !== null) {
      const marks = digest === null ? [] : marksOf(secrets, 'bytes', digest);
      await page.permission({ marks, guarantee: guaranteeOf(held.guarantee()) });
    }
    const { seed, ...draw } = order.draw;
    const synthesis = unwrap(held.synthesise({ ...draw, seed: seed ?? anySeed() }), columns);
    const outcome = { task: 'private' as const, version: core.version(), local, synthesis };
    page.post({ type: 'done', outcome }, [synthesis.drawn.values.buffer as ArrayBuffer]);
  } finally {
    held.delete();
    table = undefined;
  }
}

/** Of a draw that protects nobody. */
function anySeed(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 21) * 2 ** 32 + low;
}
