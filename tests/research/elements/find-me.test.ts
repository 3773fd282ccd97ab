import { assemble, defineStudy, parseRelease } from 'private-moments';
import { repeatReleases } from 'private-moments-research';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  exactSums,
  openDealer,
  studyAt,
  sumsOf,
  type Dealer,
} from '../../../web/research/elements/find-me/dealer.js';
import { placeBeside } from '../../../web/research/elements/find-me/find-me-figure.js';
import { BETS, FindMeGame } from '../../../web/research/elements/find-me/find-me-game.js';
import type {
  FromFindMeWorker,
  GameFile,
  ToFindMeWorker,
} from '../../../web/research/elements/find-me/find-me-protocol.js';
import {
  answerInWords,
  fileInWords,
  patientInWords,
  progressInWords,
  verdict,
} from '../../../web/research/elements/find-me/find-me-words.js';
import { barOf } from '../../../web/research/elements/find-me/score-bar.js';
import { Host, SilentWorker, withSilentWorkers } from '../../elements/silent-worker.js';

/** So little noise that sums show through it. */
const CLEAR = 1e10;
/** Number 7, whose row is cut to the row norm, and one near the middle of the bounds. */
const [CUT, MIDDLE] = [6, 9];

describe('the files of Find me', () => {
  let dealer: Dealer;

  beforeAll(async () => {
    dealer = await openDealer();
  });

  it('are releases that assemble accepts', async () => {
    const { monday, tuesday } = dealer.deal(1, CUT);
    const study = studyAt(1);
    for (const release of [monday, tuesday]) {
      const read = parseRelease(JSON.stringify(release.toJSON()));
      expect(read.guarantee).toMatchObject({ epsilon: 1, neighbours: 'add-remove' });
      await expect(assemble(study, [read])).resolves.toBeDefined();
    }
  });

  it('hold all patients on Monday, and all or all but one on Tuesday', () => {
    const seen = new Set<boolean>();
    // 40 tosses of a coin all fall alike once in 5 x 10^11 runs.
    for (let deal = 0; deal < 40; deal++) {
      const { monday, tuesday, isOut, constant } = dealer.deal(CLEAR, CUT);
      seen.add(isOut);
      const near = (release: typeof monday, without?: number): void => {
        const expected = exactSums(1, 1, without);
        // The noise has a standard deviation below 10^-4 here.
        sumsOf(release, constant).forEach((sum, at) => {
          expect(sum).toBeCloseTo(expected[at] ?? NaN, 2);
        });
      };
      near(monday);
      near(tuesday, isOut ? CUT : undefined);
      expect(sumsOf(monday, constant)[0]).toBeCloseTo(20, 2);
    }
    expect(seen).toEqual(new Set([true, false]));
  });

  it('let the best rule reach the line about a patient whose row is cut, and nobody pass it', async () => {
    const bets = 2000;
    for (const epsilon of [1, 10]) {
      const best = dealer.best(epsilon);
      const share = (100 * (await dealer.bet(epsilon, CUT, bets))) / bets;
      // Five and a half standard deviations: one run in 10^7 fails.
      expect(Math.abs(share - best), `epsilon ${epsilon}`).toBeLessThan(5.5 * (50 / bets ** 0.5));
    }
    const best = dealer.best(10);
    const middle = (100 * (await dealer.bet(10, MIDDLE, bets))) / bets;
    expect(middle).toBeLessThan(best - 2);
  });

  it('tell nearly everything at epsilon 100, and nearly nothing at 0.1', async () => {
    expect(await dealer.bet(100, CUT, 1000)).toBeGreaterThan(995);
    expect(dealer.best(0.1)).toBeLessThan(51);
    expect(dealer.best(100)).toBeGreaterThan(99.9);
  });
});

describe('repeatReleases', () => {
  it('makes releases of the same rows that differ by noise alone', async () => {
    const rows = Array.from({ length: 20 }, () => ({ age: 50, sleep: 7, glucose: 6, bmi: 28 }));
    const files = await repeatReleases(studyAt(1), rows, 5);
    expect(files.map(({ length }) => length)).toEqual([15, 15, 15, 15, 15]);
    expect(new Set(files.map(String)).size).toBe(5);
  });

  it('refuses an impossible count, and studies that choose their clip radius', async () => {
    const study = studyAt(1);
    for (const count of [0, 1.5, 100_001]) {
      await expect(repeatReleases(study, [], count)).rejects.toMatchObject({ field: 'count' });
    }
    const { title, columns, neighbours, privacy } = study.toJSON();
    const centred = defineStudy({ title, columns, neighbours, privacy });
    await expect(repeatReleases(centred, [], 1)).rejects.toMatchObject({ field: 'clipping' });
  });
});

/** A game whose worker's answers a test gives. */
class Played extends FindMeGame {
  answer(message: FromFindMeWorker): void {
    this.take(message);
  }

  /** Answers the latest question for files. */
  deal(): void {
    const id = asked('deal').at(-1)?.id ?? NaN;
    this.answer({ type: 'dealt', id, monday: file(id), tuesday: file(id) });
  }

  reveal(isOut: boolean): void {
    this.answer({ type: 'revealed', id: asked('reveal').at(-1)?.id ?? NaN, isOut });
  }
}

function file(mark: number): GameFile {
  return { sums: [mark], sd: 1, text: '' };
}

function asked<Type extends ToFindMeWorker['type']>(
  type: Type,
): Extract<ToFindMeWorker, { type: Type }>[] {
  return (SilentWorker.said as ToFindMeWorker[]).filter(
    (message): message is Extract<ToFindMeWorker, { type: Type }> => message.type === type,
  );
}

describe('a game of Find me', () => {
  withSilentWorkers();

  function begin(): Played {
    const game = new Played(new Host());
    game.wake();
    game.deal();
    return game;
  }

  it('counts ten bets, and remembers the score', () => {
    const game = begin();
    for (let bet = 0; bet < BETS; bet++) {
      expect(game.phase).toBe('open');
      game.bet(true);
      game.reveal(bet % 2 === 0);
      if (bet < BETS - 1) {
        expect(game.phase).toBe('told');
        game.deal();
        game.goOn();
      }
    }
    expect(game.phase).toBe('over');
    expect(game.games).toEqual([{ epsilon: 1, right: 5, of: 10 }]);
    game.start(1);
    expect(game.bets).toEqual([]);
    expect(game.games).toHaveLength(1);
  });

  it('shows no new files before the answer has stood, and takes no bet meanwhile', () => {
    const game = begin();
    const [before] = game.files?.monday.sums ?? [];
    game.bet(false);
    game.bet(true);
    expect(asked('reveal'), 'one bet on each pair of files').toHaveLength(1);
    game.reveal(false);
    game.deal();
    expect(game.files?.monday.sums[0]).toBe(before);
    game.bet(true);
    expect(game.bets, 'a key only brings the next files').toEqual([true]);
    expect(game.phase).toBe('open');
    expect(game.files?.monday.sums[0]).not.toBe(before);
  });

  it('waits for files that come later than the answer has stood', () => {
    const game = begin();
    game.bet(false);
    game.reveal(false);
    game.goOn();
    expect(game.phase).toBe('waiting');
    game.deal();
    expect(game.phase).toBe('open');
  });

  it('starts again at another epsilon, and ignores files of the game before', () => {
    const game = begin();
    game.bet(false);
    game.reveal(false);
    const [late] = asked('deal').slice(-1);
    game.start(10);
    game.answer({ type: 'dealt', id: late?.id ?? NaN, monday: file(0), tuesday: file(0) });
    expect(game.phase).toBe('waiting');
    expect(game.bets).toEqual([]);
    expect(asked('deal').at(-1)).toMatchObject({ epsilon: 10, person: 6 });
  });

  it('asks again after it was moved, and keeps its bets', () => {
    const host = new Host();
    const game = new Played(host);
    game.wake();
    game.deal();
    game.bet(true);
    game.reveal(true);
    host.move();
    game.wake();
    game.deal();
    expect(game.phase).toBe('open');
    expect(game.bets).toEqual([true]);
  });

  it('lets the computer bet once at a time', () => {
    const game = begin();
    game.compute();
    game.compute();
    expect(asked('play')).toEqual([{ type: 'play', epsilon: 1, person: 6, bets: 1000 }]);
    game.answer({ type: 'played', epsilon: 1, person: 6, bets: 1000, right: 546 });
    expect(game.computer).toEqual({ epsilon: 1, person: 6, right: 546, of: 1000 });
    expect(game.isComputing).toBe(false);
  });
});

describe('what Find me says', () => {
  it('neither praises nor blames', () => {
    const said = (right: number, epsilon: number, best: number): string =>
      verdict({ epsilon, right, of: 10 }, best, 54.7);
    expect(said(5, 1, 54.7)).toBe(
      'No better than a coin. That is not you: at ε = 1 nobody, with any computer, is right more than 55 times in 100.',
    );
    expect(said(8, 1, 54.7)).toMatch(
      /^Ten bets are few, so luck shows\. In the long run, at ε = 1/,
    );
    expect(said(8, 10, 82.2)).toBe(
      'At ε = 10 you can tell. At ε = 1 nobody, with any computer, is right more than 55 times in 100.',
    );
    expect(said(4, 10, 82.2)).toMatch(/the best rule is right up to 83 times in 100\./);
  });

  it('names patients, answers and the score so far', () => {
    expect(patientInWords(6)).toBe('age 38, sleep 5.2 h, glucose 8.3, bmi 38.6');
    expect(answerInWords(6, true)).toBe('Number 7 was taken out.');
    expect(progressInWords({ epsilon: 1, right: 0, of: 0 }, 10, true)).toBe('Bet 1 of 10.');
    expect(progressInWords({ epsilon: 1, right: 3, of: 6 }, 10, true)).toBe(
      'Bet 7 of 10. Right so far: 3 of 6.',
    );
  });

  it('reads a file aloud with a name for each sum', () => {
    const sums = Array.from({ length: 15 }, (_, i) => i);
    expect(fileInWords('Monday’s file', sums, 0)).toMatch(
      /^Monday’s file: 15 noisy numbers\. count 0, sum of age 1, .*age by age 5, age by sleep 6, .*bmi by bmi 14\.$/,
    );
  });
});

describe('the bar of a score', () => {
  // As wide as in the widest of the page's fonts.
  const measure = (words: string): number => 7 * words.length;

  it('keeps its words apart at every best possible share and width', () => {
    for (const width of [288, 344, 1024]) {
      for (let best = 50; best <= 100; best += 0.5) {
        const { labels } = barOf({ score: 70, best }, width, measure);
        const ends = labels
          .map(({ words, x, anchor }) =>
            anchor === 'end' ? [x - measure(words), x] : [x, x + measure(words)],
          )
          .sort(([a = 0], [b = 0]) => a - b);
        ends.slice(1).forEach(([start = 0], i) => {
          expect(start, `${best} at ${width}`).toBeGreaterThanOrEqual(ends[i]?.[1] ?? 0);
        });
        expect(Math.max(...ends.flat())).toBeLessThanOrEqual(width);
      }
    }
  });
});

describe('words beside a mark', () => {
  const area = { left: 0, right: 300, top: 0, bottom: 200 };

  it('go to the right if there is room, else to the left', () => {
    expect(placeBeside({ x: 100, y: 100 }, 80, area, []).box.left).toBeGreaterThan(100);
    expect(placeBeside({ x: 280, y: 100 }, 80, area, []).box.right).toBeLessThan(280);
  });

  it('avoid what is there', () => {
    const taken = [{ left: 100, right: 300, top: 80, bottom: 125 }];
    expect(placeBeside({ x: 100, y: 100 }, 80, area, taken).box.right).toBeLessThan(100);
  });
});
