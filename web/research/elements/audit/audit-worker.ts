/** The audit's worker: attacks mechanisms and reports its progress. */
import { auditable, openAudit, type Audit } from 'private-moments-research';
import { openPort } from 'private-moments/internal';
import { closedAfter, describe } from 'private-moments/internal/worker';
import type { FromAuditWorker, ToAuditWorker } from './audit-protocol.js';

/** A factor on the mechanism's noise that the test of its distribution must reject. */
const MUTANT = 0.95;

const closed = closedAfter(auditable);
const port = openPort<FromAuditWorker, ToAuditWorker>();
let stop = new AbortController();
let open: { key: string; audit: Audit; isChecked: boolean } | undefined;
/** The run under way; the next one waits for its end. */
let running: Promise<void> = Promise.resolve();

port?.listen((message) => {
  stop.abort();
  if (message.type === 'stop') return;
  stop = new AbortController();
  const { signal } = stop;
  running = running.then(() => perform(message, signal));
});

async function perform(
  { id, question, runs }: Extract<ToAuditWorker, { type: 'run' }>,
  signal: AbortSignal,
): Promise<void> {
  const post = (message: FromAuditWorker): void => {
    port?.post(message);
  };
  try {
    await closed();
    const key = JSON.stringify(question);
    if (open?.key !== key) {
      open?.audit.close();
      open = undefined;
      open = { key, audit: await openAudit(question), isChecked: false };
    }
    const { audit } = open;
    const { promised, guarantee, delta, confidence, reads, hasLaw, dataSets } = audit;
    const sensitivity = audit.sensitivity();
    post({
      type: 'facts',
      id,
      facts: { promised, guarantee, delta, confidence, reads, hasLaw, dataSets, sensitivity },
    });
    await audit.run(runs, {
      signal,
      onProgress: ({ runs: made, looks }) => {
        post({ type: 'progress', id, runs: made, looks });
      },
    });
    if (!open.isChecked) {
      const law = audit.law();
      const mutant = audit.law(MUTANT);
      if (law !== null && mutant !== null) post({ type: 'law', id, law, mutant });
      open.isChecked = true;
    }
    post({ type: 'end', id });
  } catch (error) {
    post(
      signal.aborted ? { type: 'stopped', id } : { type: 'error', id, message: describe(error) },
    );
  }
}
