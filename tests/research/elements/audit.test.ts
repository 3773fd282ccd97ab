import type { PropertyValues } from 'lit';
import { auditable, openAudit, published } from 'private-moments-research';
import { describe, expect, it } from 'vitest';
import { PmAudit } from '../../../web/research/elements/audit/audit.js';
import {
  AUDITED,
  atLeast,
  auditCsv,
  auditedBy,
  backingOf,
  durationInWords,
  finding,
  rightGuesses,
  verdictOf,
  type Found,
  type Verdict,
} from '../../../web/research/elements/audit/audit-words.js';
import type { AuditFacts } from '../../../web/research/elements/audit/audit-protocol.js';
import type { AuditTrail } from '../../../web/research/elements/audit/auditor.js';
import { bestGuess } from '../../../web/package/src/report/guarantee.js';

/** Hosts the element outside a page. */
class Audit extends PmAudit {
  /** Sets a property and updates the element. */
  change(change: Partial<Pick<PmAudit, 'mechanism' | 'epsilon'>>): void {
    const before = Object.keys(change).map((name) => [name, this[name as 'epsilon']] as const);
    Object.assign(this, change);
    this.willUpdate(new Map<PropertyKey, unknown>(before) as PropertyValues<this>);
  }
}

/** The facts as the worker posts them. */
async function factsOf(mechanism: string, epsilon: number): Promise<AuditFacts> {
  const audit = await openAudit({ mechanism, epsilon });
  const { promised, guarantee, delta, confidence, reads, hasLaw, dataSets } = audit;
  audit.close();
  return {
    ...{ promised, guarantee, delta, confidence, reads, hasLaw, dataSets },
    sensitivity: null,
  };
}

function trailOf(mechanism: string, facts: AuditFacts, shown: number): AuditTrail {
  const look = { runs: 100, tried: 100, hits: 80, alarms: 40, epsilon: shown, gdp: 0 };
  const question = { mechanism, epsilon: facts.promised?.epsilon ?? 1, delta: 1e-6 };
  return { question, state: 'done', runs: 100, of: 100, looks: [look], facts };
}

/** The backing of promises without a proof here, by epsilon. */
const WITHOUT_PROOF: Record<number, Partial<Record<string, Verdict>>> = {
  0.1: {
    'non-private': 'none',
    'symmetric-noise': 'false',
    'jiang-wishart': 'false',
    'ppca-gibbs': 'unproved',
  },
  1: {
    'non-private': 'none',
    'analyze-gauss-one-over-n': 'false',
    'symmetric-noise': 'false',
    'jiang-wishart': 'false',
    'ppca-gibbs': 'unproved',
  },
  10: {
    'non-private': 'none',
    'analyze-gauss-classical': 'false',
    'analyze-gauss-one-over-n': 'false',
    'symmetric-noise': 'false',
    'jiang-wishart': 'false',
    'sheffet-wishart': 'unproved',
    'ppca-gibbs': 'unproved',
  },
};

/** The verdicts for which a headline may use each verb. */
const SAYS: Record<string, readonly Verdict[]> = {
  breaks: ['broken'],
  stays: ['proved'],
  promises: ['none'],
  'has not': ['false', 'unproved'],
};

describe('the audit', () => {
  it.each([0.1, 1, 10])(
    'knows at epsilon %d which promises have a proof, which are false, and of which neither is known',
    async (epsilon) => {
      const truths = new Map((await published()).map(({ name, truth }) => [name, truth]));
      for (const { name } of AUDITED) {
        const facts = await factsOf(name, epsilon);
        const backing = backingOf(facts, auditedBy(name));
        expect(backing, name).toBe(WITHOUT_PROOF[epsilon]?.[name] ?? 'proved');
        if (backing === 'proved') {
          expect(truths.get(name) ?? 'it holds', name).not.toMatch(/^none/);
          expect(facts.guarantee?.epsilon, name).toBeLessThanOrEqual(epsilon * (1 + 1e-9));
        }
        if (backing === 'false') expect(auditedBy(name).why, name).toMatch(/\.$/);
        const { promised } = facts;
        if (promised === null) continue;
        expect(verdictOf(trailOf(name, facts, 0.99 * promised.epsilon)), name).toBe(backing);
        expect(verdictOf(trailOf(name, facts, 1.01 * promised.epsilon)), name).toBe(
          backing === 'proved' ? 'contradicted' : 'broken',
        );
      }
    },
  );

  it('calls a promise kept only if it is proved, and broken only if attacks broke it', () => {
    const verdicts: Verdict[] = ['broken', 'contradicted', 'none', 'false', 'unproved', 'proved'];
    const all = verdicts.map((verdict): Found => ({ title: `<${verdict}>`, verdict, epsilon: 2 }));
    for (const present of all) {
      for (const earlier of [[], ...all.map((one) => [one]), all, [...all].reverse()]) {
        const words = finding([present, ...earlier]);
        expect(words).toContain(present.title);
        expect(words.match(/<[a-z]+>/g)?.length).toBeLessThanOrEqual(2);
        for (const [, title, said] of words.matchAll(
          /<([a-z]+)> (breaks|stays|promises|has not)/g,
        )) {
          expect(SAYS[said ?? ''], words).toContain(title);
        }
      }
    }
    const [broken, , none, known, unproved, proved] = all as [
      Found,
      Found,
      Found,
      Found,
      Found,
      Found,
    ];
    expect(finding([])).toBe('The bound appears here as attacks run');
    expect(finding([none, known])).toBe(
      '<none> promises nothing, and at least ε = 2.00 leaks; <false> has not been shown to break its promise yet, but is known to break it',
    );
    expect(finding([proved, broken])).toBe(
      '<broken> breaks its promise; <proved> stays below its own',
    );
    expect(finding([unproved])).toBe(
      '<unproved> has not been shown to break its promise, which has no proof here',
    );
    expect(finding([{ ...none, epsilon: 0 }])).toBe('<none> promises nothing');
  });

  it('offers every mechanism that can be audited, with the promise it makes', async () => {
    expect(AUDITED.map(({ name }) => name)).toEqual(await auditable());
    for (const { name, promise } of AUDITED) {
      const { promised } = await openAudit({ mechanism: name, epsilon: 1 });
      const kind = promised === null ? 'none' : promised.delta > 0 ? 'epsilon-delta' : 'epsilon';
      expect(promise, name).toBe(kind);
    }
  });

  it('drops audits of another promise', async () => {
    const audit = new Audit();
    const trail = trailOf('gaussian', await factsOf('gaussian', 1), 0.5);
    audit.earlier = [trail];
    audit.change({ mechanism: 'laplace' });
    expect(audit.earlier).toEqual([trail]);
    audit.change({ epsilon: 2 });
    expect(audit.earlier).toEqual([]);
  });

  it('never shows a lower bound larger than it is', () => {
    expect(atLeast(0.939)).toBe('0.93');
    expect(atLeast(1)).toBe('1.00');
    expect(atLeast(0.29)).toBe('0.29');
  });

  it('counts right guesses about either data set, and says how many a promise allows', () => {
    const look = { runs: 100, tried: 100, hits: 80, alarms: 40, epsilon: 0, gdp: 0 };
    expect(rightGuesses(look)).toBe(70);
    expect(bestGuess({ epsilon: Math.log(3), delta: 0 })).toBeCloseTo(75, 9);
    expect(bestGuess({ epsilon: 1, delta: 1e-6, gdp: 0.2367 })).toBeCloseTo(54.7, 1);
  });

  it('writes every look of every visible audit into its CSV', () => {
    const look = { runs: 10, tried: 8, hits: 5, alarms: 2, epsilon: 0.25, gdp: 0 };
    const question = { mechanism: 'laplace', epsilon: 1, delta: 1e-6 };
    const trail = { question, state: 'done', runs: 10, of: 10, looks: [look] } as const;
    const [head, row, end] = auditCsv([trail]).split('\r\n');
    expect(head?.split(',')).toHaveLength(8);
    expect(row).toBe('laplace,,,10,8,5,2,0.25');
    expect(end).toBe('');
  });
});

describe('how long attacks will take', () => {
  it('is said from ten seconds on, rounded up', () => {
    expect(durationInWords(9000, 1000)).toBe('');
    expect(durationInWords(9000, undefined)).toBe('');
    expect(durationInWords(31_000, 1000)).toBe('about 35 s');
    expect(durationInWords(90_000, 750)).toBe('about 2 min');
    expect(durationInWords(1_000_000, 100)).toBe('about 3 h');
  });
});
