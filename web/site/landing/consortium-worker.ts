/** The live consortium's worker: acts as ten sites and an analyst, so that the page's own thread is free to draw. */
import { load } from 'private-moments';
import { openPort } from 'private-moments/internal';
import { describe } from 'private-moments/internal/worker';
import type { Question, Reply, Round, Sites } from './consortium-protocol.js';
import { Rounds } from './rounds.js';
import { fetchSites } from './sample-sites.js';

const port = openPort<Reply, Question>();
/** It is a worker itself, and starts no others. */
const loaded = load({ worker: false });
let rounds: Promise<Rounds> | undefined;

port?.listen((question) => {
  const { id } = question;
  answer(question).then(
    (value) => {
      port.post(value === undefined ? { id } : { id, value });
    },
    (error: unknown) => {
      port.post({ id, error: describe(error) });
    },
  );
});

async function answer(question: Question): Promise<Sites | Round | undefined> {
  if (question.type === 'open') {
    const opened = fetchSites(question.folder);
    rounds = opened.then((sites) => new Rounds(sites));
    const { rows, exact } = await opened;
    return { rows, exact };
  }
  await loaded;
  return (await rounds)?.make(question.epsilon, question.arrivals);
}
