import { PrivateMomentsError, type RidgeResult } from 'private-moments';
import type { PropertyValues } from 'lit';
import { describe, expect, it } from 'vitest';
import type { MomentsResult } from '../../web/elements/src/analysis-result.js';
import { PmResult } from '../../web/elements/src/result-view.js';

/** A result outside of any page, told that it has another one to show. */
class Result extends PmResult {
  async show(ridge: () => Promise<RidgeResult>): Promise<void> {
    const changed = new Map<PropertyKey, unknown>([['result', this.result]]);
    this.result = { moments: { inWorker: () => ({ ridge }) } } as unknown as MomentsResult;
    this.willUpdate(changed as PropertyValues<this>);
    await new Promise(setImmediate);
  }
}

describe('a regression', () => {
  it('that fails leaves no older fit under its question, and says why', async () => {
    const view = new Result();
    const fit = { target: 'income' } as RidgeResult;
    view.question = { target: 'income', alpha: 0 };
    await view.show(() => Promise.resolve(fit));
    expect([view.fit, view.problem]).toEqual([fit, '']);
    const error = new PrivateMomentsError('unsupported-option', 'alpha is too small');
    await view.show(() => Promise.reject(error));
    expect(view.fit).toBeUndefined();
    expect(view.problem).toBe('Alpha is too small.');
    await view.show(() => Promise.resolve(fit));
    expect([view.fit, view.problem]).toEqual([fit, '']);
  });
});
