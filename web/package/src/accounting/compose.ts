import { checker, requireOptions } from '../base/check.js';
import { loadCore } from '../core/core.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { RawCost } from '../core/raw.js';
import type { Guarantee, GuaranteePart } from '../study/types.js';
import { unwrap } from '../core/unwrap.js';

/**
 * The joint guarantee of several releases of the same rows, even if later ones were chosen in the light of
 * earlier ones: the smallest epsilon that is proved at `delta` (docs/composition.md). It applies to those
 * who are in all of the releases, which are its `parts`.
 *
 * @param options.delta 0 or above, below 1.
 * @throws PrivateMomentsError `invalid-neighbours` or `invalid-unit` if the guarantees are of different
 * kinds, `invalid-delta` if nothing is proved at this delta, `no-releases` for an empty list.
 *
 * @example
 * ```ts
 * const joint = await compose(releases.map(({ guarantee }) => guarantee), { delta: 1e-5 });
 * ```
 */
export async function compose(
  guarantees: Iterable<Guarantee>,
  options: { delta: number },
): Promise<Guarantee> {
  requireOptions(options, ['delta']);
  const { delta } = options;
  if (!(Symbol.iterator in Object(guarantees)) || typeof guarantees === 'string') {
    const message = 'guarantees must be a list of guarantees, such as release.guarantee';
    throw new PrivateMomentsError('unsupported-data', message, { field: 'guarantees' });
  }
  const all = [...guarantees];
  const [first] = all;
  if (first === undefined) {
    throw new PrivateMomentsError(
      'no-releases',
      'guarantees is empty: there is nothing to compose',
    );
  }
  const check = checker('invalid-delta');
  if (!(check.number(delta, 'delta') >= 0 && delta < 1)) {
    throw new PrivateMomentsError('invalid-delta', 'delta must be 0 or above, and below 1', {
      field: 'delta',
    });
  }
  for (const key of ['neighbours', 'unit'] as const) {
    if (all.some((guarantee) => guarantee[key] !== first[key])) {
      const message = `guarantees with different ${key} cannot be composed`;
      throw new PrivateMomentsError(`invalid-${key}`, message, { field: key });
    }
  }
  const core = await loadCore();
  const composed = unwrap(core.compose(all.flatMap(costsOf), delta));
  const { epsilon, pure, gdp, zcdp, totalVariation } = composed;
  if (epsilon === undefined) {
    const message = 'delta must be larger than the sum of the deltas of the guarantees';
    throw new PrivateMomentsError('invalid-delta', message, { field: 'delta' });
  }
  return {
    epsilon,
    delta: epsilon === pure ? 0 : delta,
    ...(gdp === undefined ? {} : { gdp }),
    ...(zcdp === undefined ? {} : { zcdp }),
    ...(gdp === undefined && zcdp === undefined ? {} : { totalVariation }),
    neighbours: first.neighbours,
    unit: first.unit,
    numerics: all.every(({ numerics }) => numerics === 'exact') ? 'exact' : 'idealized',
    assumes: [...new Set(all.flatMap(({ assumes }) => assumes))],
    parts: all.map((guarantee, index): GuaranteePart => ({
      what: `release ${index + 1}`,
      epsilon: guarantee.epsilon,
      delta: guarantee.delta,
      ...(guarantee.gdp === undefined ? {} : { gdp: guarantee.gdp }),
      ...(guarantee.zcdp === undefined ? {} : { zcdp: guarantee.zcdp }),
      ...(guarantee.totalVariation === undefined
        ? {}
        : { totalVariation: guarantee.totalVariation }),
    })),
  };
}

/**
 * The cost in the measure that composes best; for a pure release made in steps, the cost of each step. A
 * `gdp` without a `totalVariation` is ignored, because then only epsilon and delta are proved.
 */
export function costsOf(guarantee: Guarantee): RawCost[] {
  const { epsilon, delta, gdp, zcdp, totalVariation, parts } = guarantee;
  if (delta > 0 && gdp !== undefined && totalVariation !== undefined) {
    return [{ kind: 'gdp', size: gdp, totalVariation }];
  }
  if (delta > 0) return [{ kind: 'approximate', size: epsilon, delta }];
  const steps = parts?.every((part) => part.delta === 0) ? parts : [{ epsilon, zcdp }];
  return steps.map((step) => {
    // At most epsilon^2 / 8, as for the exponential mechanism, marks a step of bounded range.
    const halved = step.zcdp !== undefined && step.zcdp <= (step.epsilon ** 2 / 8) * (1 + 1e-9);
    return { kind: halved ? 'bounded-range' : 'approximate', size: step.epsilon, delta: 0 };
  });
}
