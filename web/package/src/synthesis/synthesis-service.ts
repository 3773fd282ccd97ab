/**
 * What the worker that owns the rows of one synthesis does. It holds them in its memory, makes one model with noise
 * and wipes them. Only the model and rows drawn from it go to the page.
 */
import factory from 'private-moments-synthesis-glue';
import { readAlone, readCounted } from '../intake/read-job.js';
import { requireReadable } from '../data/data.js';
import { pickGuarantee } from '../study/envelope.js';
import { loadReaders } from '../data/files.js';
import { RowFeed } from '../data/ingest.js';
import { instantiate } from '../core/loader.js';
import { fingerprintsOf } from '../intake/fingerprints.js';
import { intakeOptions } from '../core/plan.js';
import type { JobPage, PostedJob } from '../intake/protocol.js';
import { Moved, type Peer } from '../threads/peer.js';
import type { Service } from '../threads/serve.js';
import type { SynthesisOrder, SynthesisOutcome } from './protocol.js';
import type { RowTable, SynthesisCore } from './raw.js';
import { unwrap } from '../core/unwrap.js';

/** Leaves room for the computation in the two gigabytes of a module's memory. */
const MAX_ROW_BYTES = 3 * 2 ** 29;

/** Where the rows of one worker are, from the first public ones to the end of its synthesis. */
interface Held {
  table?: RowTable | undefined;
}

export function service(): Service<SynthesisCore, JobPage> {
  const rows: Held = {};
  return {
    start: (module) => instantiate<SynthesisCore>(module, factory),
    load: loadReaders,
    functions: {
      run: (core, page, job: PostedJob<SynthesisOrder>) => run(rows, core, page, job),
    },
  };
}

async function run(
  rowsOfWorker: Held,
  core: SynthesisCore,
  page: Peer<JobPage>,
  { order, plan, source, secrets, context }: PostedJob<SynthesisOrder>,
): Promise<Moved<SynthesisOutcome>> {
  const { spec, columns } = plan;
  const options = { ...spec, ...intakeOptions(plan), ...order.terms, bytes: MAX_ROW_BYTES };
  const held = (rowsOfWorker.table ??= unwrap(core.createTable(options), columns).table);
  if (order.task === 'public') {
    const rows = held.publicRows();
    try {
      await readAlone(page, source, plan, new RowFeed(rows, plan, core), () => undefined);
    } finally {
      rows.delete();
    }
    return new Moved<SynthesisOutcome>({ task: 'public' }, []);
  }
  try {
    const { local, digest } = await readCounted(
      page,
      { plan, source, secrets },
      () => held.counts(),
      (onRead, sourceDigest, toCheck) =>
        readAlone(page, source, plan, new RowFeed(held, plan, core, toCheck), onRead, sourceDigest),
    );
    requireReadable(local);
    if (secrets !== null) {
      const fingerprints = digest === null ? [] : fingerprintsOf(secrets, 'bytes', digest);
      await page.call('permit', [{ fingerprints, guarantee: pickGuarantee(held.guarantee()) }]);
    }
    const { seed, ...draw } = order.draw;
    const synthesis = unwrap(
      held.synthesise({ ...draw, seed: seed ?? anySeed(), context }),
      columns,
    );
    const version = core.version();
    const outcome: SynthesisOutcome = { task: 'private', version, local, synthesis };
    return new Moved(outcome, [synthesis.drawn.values.buffer as ArrayBuffer]);
  } finally {
    held.delete();
    rowsOfWorker.table = undefined;
  }
}

/** A random seed of 53 bits for the draw. It need not be secret, because the draw protects no one. */
function anySeed(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 21) * 2 ** 32 + low;
}
