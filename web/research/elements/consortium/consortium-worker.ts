/** The consortium's worker: simulates more and more runs, and interpolates settings from them. */
import { consortium, published, type Consortium } from 'private-moments-research';
import { openPort, nextTask } from 'private-moments/internal';
import { closedAfter, describe, evictOldest, latest } from 'private-moments/internal/worker';
import type { ConsortiumAnswer, ConsortiumQuestion } from './consortium-protocol.js';

const RUNS = 500;
/** The numbers of runs after which results are posted. */
const STAGES = [16, 40, 80, 150, 250, 375, RUNS];
/** Time between two checks for a newer question. */
const SLICE_MS = 12;
const MOST_SETS = 5;

const closed = closedAfter(published);
const simulated = new Map<string, Consortium>();
const port = openPort<ConsortiumAnswer, ConsortiumQuestion>();
port?.listen(
  latest(async (question, isLatest) => {
    try {
      await closed();
      await answer(question, isLatest);
    } catch (error) {
      port.post({ id: question.id, answer: { error: describe(error) } });
    }
  }),
);

async function answer(question: ConsortiumQuestion, isLatest: () => boolean): Promise<void> {
  const about = await simulationOf(question);
  if (about.runs >= (STAGES[0] ?? 1)) tell(question, about);
  while (isLatest() && about.runs < RUNS) {
    const stage = STAGES.find((runs) => runs > about.runs) ?? RUNS;
    const end = performance.now() + SLICE_MS;
    do about.run();
    while (about.runs < stage && performance.now() < end);
    if (about.runs === stage) tell(question, about);
    await nextTask();
  }
}

function tell({ id, settings }: ConsortiumQuestion, about: Consortium): void {
  const { runs, correlations } = about;
  const outcomes = about.at(settings);
  port?.post({ id, answer: { value: { runs, correlations: [...correlations], outcomes } } });
}

async function simulationOf({ set, data }: ConsortiumQuestion): Promise<Consortium> {
  const known = simulated.get(set);
  if (known !== undefined) return known;
  const made = await consortium(data);
  simulated.set(set, made);
  evictOldest(simulated, MOST_SETS);
  return made;
}
