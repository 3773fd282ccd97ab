/** Simulates a consortium, more and more of it, and reads settings off what there is. */
import { consortium, type Consortium } from 'private-moments/research';
import { openPort } from '../../package/src/port.js';
import { turn } from '../../package/src/turns.js';
import type { ConsortiumAnswer, ConsortiumQuestion } from './consortium-protocol.js';
import { describe } from './failure.js';
import { forgetOldest } from './forget-oldest.js';
import { newest } from './newest.js';

const RUNS = 500;
/** Told after so many. */
const STAGES = [16, 40, 80, 150, 250, 375, RUNS];
/** Between two looks for a newer question. */
const SLICE_MS = 12;
const MOST_SETS = 5;

const simulated = new Map<string, Consortium>();
const port = openPort<ConsortiumAnswer, ConsortiumQuestion>();
port?.listen(
  newest(async (question, isNewest) => {
    try {
      await answer(question, isNewest);
    } catch (error) {
      port.post({ id: question.id, answer: { error: describe(error) } });
    }
  }),
);

async function answer(question: ConsortiumQuestion, isNewest: () => boolean): Promise<void> {
  const about = await simulationOf(question);
  if (about.runs >= (STAGES[0] ?? 1)) tell(question, about);
  while (isNewest() && about.runs < RUNS) {
    const stage = STAGES.find((runs) => runs > about.runs) ?? RUNS;
    const end = performance.now() + SLICE_MS;
    do about.run();
    while (about.runs < stage && performance.now() < end);
    if (about.runs === stage) tell(question, about);
    await turn();
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
  forgetOldest(simulated, MOST_SETS);
  return made;
}
