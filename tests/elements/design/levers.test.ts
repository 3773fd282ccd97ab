import { defineStudy } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { draftOf, type Draft } from '../../../web/elements/src/design/draft.js';
import { leversOf } from '../../../web/elements/src/design/forecast/levers.js';

const study = defineStudy({
  title: 'T',
  columns: ['a', 'b'].map((name) => ({ name, type: 'number', min: 0, max: 1 })),
  privacy: { epsilon: 1, delta: 1e-6 },
  federation: { mode: 'independent', sites: 10 },
});

function levers(patch: Partial<Draft> = {}) {
  return leversOf({ ...draftOf(study, 300), ...patch });
}

describe('levers', () => {
  it('are the changes that the draft allows, with what they cost', () => {
    expect(levers().map(({ id, costs }) => [id, costs])).toEqual([
      ['split', 'trust in a helper'],
      ['clipping.adaptive', 'nothing'],
      ['clipping.fixed', 'nothing'],
      ['rows', 'more rows'],
      ['sites', 'more rows'],
      ['epsilon', 'privacy'],
      ['delta', 'privacy'],
    ]);
  });

  it('each change what they say, and nothing else', () => {
    const of = (id: string) => levers().find((lever) => lever.id === id);
    expect(of('split')?.variant.definition.federation?.mode).toBe('split');
    expect(of('split')?.asks).toMatch(/a helper who never shares .* at least 7 of the 10 sites/);
    expect(of('rows')?.variant).toMatchObject({ rows: 600, sites: 10 });
    expect(of('sites')?.variant).toMatchObject({ rows: 300, sites: 20 });
    expect(of('epsilon')?.variant.definition.privacy).toEqual({ epsilon: 2, delta: 1e-6 });
    expect(of('delta')?.name).toBe('δ 1 in 100,000');
    expect(of('clipping.fixed')?.variant.definition.clipping).toBe('fixed');
  });

  it('leave out what a draft cannot do', () => {
    const ids = (patch: Partial<Draft>): string[] => levers(patch).map(({ id }) => id);
    expect(ids({ sites: '1' })).not.toContain('split');
    expect(ids({ delta: 0 })).not.toContain('delta');
    // A delta that the page would call large.
    expect(ids({ rows: 1000 })).toContain('delta');
    expect(ids({ rows: 1001 })).not.toContain('delta');
    expect(ids({ epsilon: 10 })).not.toContain('epsilon');
    expect(ids({ mode: 'split' })).toContain('independent');
    expect(ids({ unit: 'participant' })).not.toContain('rows');
    expect(ids({ mechanism: 'laplace' })).toContain('mechanism');
    expect(ids({ sites: 'none' })).not.toContain('sites');
  });
});
