/** The worker of *Find me*: makes its releases, keeps the answer, and bets as well as anybody can. */
import { published } from 'private-moments-research';
import { openPort } from 'private-moments/internal';
import { closedAfter, describe } from 'private-moments/internal/worker';
import type { Release } from 'private-moments';
import { openDealer, sumsOf, type Dealer } from './dealer.js';
import type { FromFindMeWorker, GameFile, ToFindMeWorker } from './find-me-protocol.js';

const port = openPort<FromFindMeWorker, ToFindMeWorker>();
/** The module that bets is large, and loaded with the first of them. */
const closed = closedAfter(published);
let dealer: Promise<Dealer> | undefined;
/** The answer to the latest deal. */
let secret: { id: number; isOut: boolean } | undefined;

port?.listen((message) => {
  answer(message).then(
    (found) => {
      port.post(found);
    },
    (error: unknown) => {
      dealer = undefined;
      port.post({ type: 'error', message: describe(error) });
    },
  );
});

async function answer(message: ToFindMeWorker): Promise<FromFindMeWorker> {
  dealer ??= openDealer();
  const opened = await dealer;
  switch (message.type) {
    case 'line': {
      const best = message.epsilons.map((epsilon) => ({ epsilon, best: opened.best(epsilon) }));
      return { type: 'line', best };
    }
    case 'deal': {
      const { id, epsilon, person } = message;
      const { monday, tuesday, isOut, constant } = opened.deal(epsilon, person);
      secret = { id, isOut };
      return {
        type: 'dealt',
        id,
        monday: fileOf(monday, constant),
        tuesday: fileOf(tuesday, constant),
      };
    }
    case 'reveal': {
      const { id } = message;
      if (secret?.id !== id) throw new RangeError('a bet on files that are gone');
      return { type: 'revealed', id, isOut: secret.isOut };
    }
    case 'play': {
      const { epsilon, person, bets } = message;
      await closed();
      const right = await opened.bet(epsilon, person, bets);
      return { type: 'played', epsilon, person, bets, right };
    }
  }
}

function fileOf(release: Release, constant: number): GameFile {
  const text = JSON.stringify(release.toJSON());
  return { sums: sumsOf(release, constant), sd: release.noise.sdOffDiagonal, text };
}
