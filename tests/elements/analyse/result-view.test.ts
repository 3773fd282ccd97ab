import { PrivateMomentsError, type RidgeResult } from 'private-moments';
import type { PropertyValues } from 'lit';
import { describe, expect, it } from 'vitest';
import type { MomentsResult } from '../../../web/elements/src/analyse/analysis-result.js';
import { PmResult } from '../../../web/elements/src/analyse/result-view.js';

/** A result element outside a page, updated with another result. */
class Result extends PmResult {
  async show(ridge: () => Promise<RidgeResult>): Promise<void> {
    const changed = new Map<PropertyKey, unknown>([['result', this.result]]);
    this.result = { moments: { inWorker: () => ({ ridge }) } } as unknown as MomentsResult;
    this.willUpdate(changed as PropertyValues<this>);
    await new Promise(setImmediate);
  }
}

describe('a regression', () => {
  it('that fails removes the older fit and says why', async () => {
    const view = new Result();
    const fit = { target: 'income' } as RidgeResult;
    view.choices = { regression: { target: 'income', penalty: 0 } };
    await view.show(() => Promise.resolve(fit));
    expect([view.fit, view.problem]).toEqual([fit, '']);
    const error = new PrivateMomentsError('unsupported-option', 'penalty is too small');
    await view.show(() => Promise.reject(error));
    expect(view.fit).toBeUndefined();
    expect(view.problem).toBe('Penalty is too small.');
    await view.show(() => Promise.resolve(fit));
    expect([view.fit, view.problem]).toEqual([fit, '']);
  });
});
