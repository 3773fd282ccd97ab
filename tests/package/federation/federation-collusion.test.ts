// The most that colluders can get: every sum that a session can complete, with the fewest possible honest
// releases in it, compared with what its study states.
import { describe, expect, it } from 'vitest';
import { PrivateMomentsError } from '../../../web/package/src/base/errors.js';
import { newRoleKeys } from '../../../web/package/src/federation/keys.js';
import { inspectMessage } from '../../../web/package/src/federation/message.js';
import { packPids } from '../../../web/package/src/federation/participant.js';
import { createSession, type Session } from '../../../web/package/src/federation/session.js';
import { specOf } from '../../../web/package/src/core/plan.js';
import type { ReleaseCore } from '../../../web/package/src/core/raw.js';
import { defineStudy, type Study } from '../../../web/package/src/study/study.js';
import { unwrap } from '../../../web/package/src/core/unwrap.js';
import { builtCore } from '../core-support.js';
import {
  closeBy,
  forged,
  insideOf,
  Post,
  roomOf,
  startAll,
  type Room,
  type Terms,
} from './federation-support.js';

const core = await builtCore<ReleaseCore>('private-moments');
const keys = await newRoleKeys('25519');
const helper = await newRoleKeys('25519');

type PartialTerms = Omit<Terms, 'dropouts' | 'threshold'> & {
  dropouts?: number;
  threshold?: number;
};

function studyOf(federation: PartialTerms, delta: number): Study {
  return defineStudy({
    title: 'Five columns',
    columns: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, type: 'number', min: 0, max: 1 })),
    neighbours: 'add-remove',
    privacy: { epsilon: 1, delta },
    federation,
  });
}

function sessionOf(study: Study): Session {
  const split = study.federation.mode === 'split' ? { helper } : {};
  return createSession(study, { collector: keys, ...split });
}

/** delta(epsilon; mu) of a Gaussian at distance mu, by Simpson's rule on the part above e^epsilon. */
function deltaOf(epsilon: number, mu: number): number {
  const from = (epsilon - (mu * mu) / 2) / mu;
  const steps = 4000;
  const width = 14 / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i += 1) {
    const t = from + i * width;
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
    const excess = -Math.expm1(epsilon - mu * t - (mu * mu) / 2);
    sum += weight * Math.exp((-t * t) / 2) * excess;
  }
  return (sum * width) / 3 / Math.sqrt(2 * Math.PI);
}

function epsilonAt(mu: number, delta: number): number {
  let [low, high] = [0, 100];
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    if (deltaOf(middle, mu) > delta) low = middle;
    else high = middle;
  }
  return high;
}

/** The distance between neighbours under the noise of `honest` releases of a `gaussian` study. */
function distance(study: Study, honest: number): number {
  const { zcdp = NaN, noise } = unwrap(core.describe(specOf(study)));
  const { rhoDenominator, wDiagonal } = noise.parameters;
  const sensitivitySquared = zcdp * Number(rhoDenominator);
  return Math.sqrt(sensitivitySquared / (honest * (16 * Number(wDiagonal)) ** 2));
}

/** The fewest honest releases in a sum that a session completes: all colluders send, and only honest participants drop out. */
function fewestHonest(study: Study): number {
  const { sites = 0, honest = 0 } = study.federation;
  return sessionOf(study).least - (sites - honest);
}

/** All terms on colluders and dropouts with at most `max` sites. */
function* allTerms(max: number): Generator<PartialTerms> {
  for (let sites = 2; sites <= max; sites += 1) {
    for (let honest = 1; honest <= sites; honest += 1) {
      for (const dropouts of [undefined, ...Array.from({ length: sites }, (_, d) => d)]) {
        const counts = { sites, honest, ...(dropouts === undefined ? {} : { dropouts }) };
        yield { mode: 'split', ...counts };
        yield { mode: 'ring', ...counts };
        for (let threshold = 2; threshold <= sites; threshold += 1) {
          yield { mode: 'ring', ...counts, threshold };
        }
      }
    }
  }
}

function acceptedStudies(max: number, delta: number): Study[] {
  return [...allTerms(max)].flatMap((terms) => {
    try {
      return [studyOf(terms, delta)];
    } catch (error) {
      if (error instanceof PrivateMomentsError && error.code === 'invalid-federation') return [];
      throw error;
    }
  });
}

describe('every accepted study of up to 8 sites', () => {
  it('has the noise it promises in the smallest sum with all colluders: gaussian', () => {
    const studies = acceptedStudies(8, 1e-6);
    expect(studies.length).toBeGreaterThan(100);
    for (const study of studies) {
      const honest = fewestHonest(study);
      const about = JSON.stringify(study.federation);
      expect(honest, about).toBeGreaterThanOrEqual(1);
      expect(deltaOf(1, distance(study, honest)), about).toBeLessThanOrEqual(1e-6);
    }
  });

  it('has the degrees of freedom it promises in that sum: two-sided-wishart', () => {
    for (const study of acceptedStudies(8, 0)) {
      const { freedom } = unwrap(core.describe(specOf(study)));
      // Five columns and the constant coordinate: n = 6.
      const about = JSON.stringify(study.federation);
      expect(fewestHonest(study) * freedom, about).toBeGreaterThanOrEqual(7);
    }
  });

  it('has an honest member in common in any two groups that answer a ring', () => {
    for (const { federation } of acceptedStudies(8, 1e-6)) {
      if (federation.mode !== 'ring') continue;
      const { sites, honest, threshold } = federation;
      const about = JSON.stringify(federation);
      // Each honest member answers once and each colluder any number of times.
      expect(2 * threshold, about).toBeGreaterThan(honest + 2 * (sites - honest));
      expect(threshold, about).toBeGreaterThan(sites - honest);
    }
  });
});

/** A request of the analyst for only these, which its own `close` might refuse. */
async function askFor(room: Room, pids: readonly string[]): Promise<Uint8Array> {
  const { releases } = insideOf(room.collector);
  const entries = releases.$map.filter(([pid]) => pids.includes(pid));
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const payload = packPids(entries.flatMap(([pid, { commitment }]) => [pid, commitment]));
  const { session, keys: analyst } = room;
  const contents = { releases: entries.length };
  const to = session.helper?.seal ?? '';
  return forged(session, analyst.sign, 'close', contents, payload, to);
}

/** The size of the smallest set that a helper answers, when asked for larger and larger sets. */
async function smallestAnswered(terms: Terms): Promise<number> {
  const room = await roomOf(terms);
  await startAll(room, new Post(room));
  for (let size = 1; size <= terms.sites; size += 1) {
    const pids = room.participants.slice(0, size).map(({ pid }) => pid);
    const step = await room.helper?.receive(await askFor(room, pids));
    expect(step?.refused).toBeNull();
    if (room.helper?.state === 'done') return size;
    expect(inspectMessage(step?.send[0]?.message ?? new Uint8Array()).type).toBe('short');
  }
  return Infinity;
}

describe('split, if analyst and colluders ask for the smallest set that the helper answers', () => {
  it('keeps epsilon 1 with 7 of 10 honest: the sum has all 10, or as many as the study states', async () => {
    const all = { mode: 'split', sites: 10, honest: 7, dropouts: 0 } as const;
    const size = await smallestAnswered(all);
    expect(size).toBe(10);
    expect(epsilonAt(distance(studyOf(all, 1e-6), size - 3), 1e-6)).toBeLessThanOrEqual(1);

    const some = { mode: 'split', sites: 10, honest: 7, dropouts: 2 } as const;
    const fewer = await smallestAnswered(some);
    expect(fewer).toBe(8);
    expect(epsilonAt(distance(studyOf(some, 1e-6), fewer - 3), 1e-6)).toBeLessThanOrEqual(1);
  });

  it('isolates no site if half of ten may collude', async () => {
    const terms = { mode: 'split', sites: 10, honest: 5, dropouts: 4 } as const;
    const size = await smallestAnswered(terms);
    // The only honest release in it then has all of the noise.
    expect(size - 5).toBe(1);
    expect(epsilonAt(distance(studyOf(terms, 1e-6), 1), 1e-6)).toBeLessThanOrEqual(1);
  });
});

describe('a ring whose coordinator names too few survivors', () => {
  it('gets no answer', async () => {
    const terms = { mode: 'ring', sites: 10, honest: 7, dropouts: 2, threshold: 8 } as const;
    const room = await roomOf(terms);
    const post = new Post(room);
    for (const participant of room.participants) post.send((await participant.start()).send);
    // Runs until the releases are sent; the coordinator's own announcement is held back.
    while (room.collector.state !== 'agreeing') {
      const item = post.queue.shift();
      if (item === undefined) throw new TypeError('the ring stopped early');
      await post.deliver(item);
    }
    const { group, dealers } = insideOf(room.collector);
    for (const size of [2, 7]) {
      const contents = { group, survivors: dealers.slice(0, size) };
      const message = await forged(room.session, room.keys.sign, 'survivors', contents);
      for (const pid of contents.survivors) {
        const step = await room.participants.find((one) => one.pid === pid)?.receive(message);
        expect(step?.refused?.code).toBe('too-few-releases');
        expect(step?.send).toEqual([]);
      }
    }
  });

  it('has everyone in its sum by default', async () => {
    const study = studyOf({ mode: 'ring', sites: 10, honest: 5 }, 1e-6);
    expect(sessionOf(study)).toMatchObject({ least: 10, threshold: 10 });
    const room = await roomOf({ mode: 'ring', sites: 10, honest: 5, dropouts: 0, threshold: 10 });
    const post = new Post(room);
    const last = room.participants.at(-1)?.pid ?? '';
    post.gone.add(last);
    await startAll(room, post);
    await expect(closeBy(room, post)).rejects.toMatchObject({ code: 'too-few-releases' });
    expect(room.collector.outcome).toBeNull();
  });
});
