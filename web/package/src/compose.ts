import { checker, requireKnown } from './check.js';
import { loadCore } from './core.js';
import { PrivateMomentsError } from './errors.js';
import type { RawCost } from './raw.js';
import type { Guarantee, GuaranteePart } from './types.js';
import { unwrap } from './unwrap.js';

/**
 * What several releases of the same rows promise together, whichever of them were chosen in the
 * light of earlier ones: the smallest epsilon that is proved at `delta` (docs/composition.md). The
 * result's `parts` are the releases. It costs what it says for those who are in all of them.
 *
 * @throws PrivateMomentsError `invalid-neighbours` or `invalid-unit` for promises of different
 * kinds, `invalid-delta` where nothing is proved at so small a delta, `no-releases` for none.
 */
export async function compose(
  guarantees: Iterable<Guarantee>,
  options: { delta: number },
): Promise<Guarantee> {
  requireKnown(options, ['delta']);
  const { delta } = options;
  if (!(Symbol.iterator in Object(guarantees)) || typeof guarantees === 'string') {
    const message = 'guarantees must be a list of what releases promise';
    throw new PrivateMomentsError('unsupported-data', message, { field: 'guarantees' });
  }
  const all = [...guarantees];
  const [first] = all;
  if (first === undefined) {
    throw new PrivateMomentsError('no-releases', 'there are no guarantees to compose');
  }
  const check = checker('invalid-delta');
  if (!(check.number(delta, 'delta') >= 0 && delta < 1)) {
    throw new PrivateMomentsError('invalid-delta', 'delta must lie in [0, 1)', { field: 'delta' });
  }
  for (const key of ['neighbours', 'unit'] as const) {
    if (all.some((guarantee) => guarantee[key] !== first[key])) {
      const message = `guarantees with different ${key} do not add up`;
      throw new PrivateMomentsError(`invalid-${key}`, message, { field: key });
    }
  }
  const core = await loadCore();
  const composed = unwrap(core.compose(all.flatMap(costsOf), delta));
  const { epsilon, pure, gdp, zcdp, totalVariation } = composed;
  if (epsilon === undefined) {
    const message = 'nothing is proved at so small a delta; it must exceed the sum of those given';
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
 * In the measure that composes best; a pure release made in steps, step by step. A mu whose distance
 * from exact is not stated counts for nothing: there only epsilon and delta are proved.
 */
export function costsOf(guarantee: Guarantee): RawCost[] {
  const { epsilon, delta, gdp, zcdp, totalVariation, parts } = guarantee;
  if (delta > 0 && gdp !== undefined && totalVariation !== undefined) {
    return [{ kind: 'gdp', size: gdp, totalVariation }];
  }
  if (delta > 0) return [{ kind: 'approximate', size: epsilon, delta }];
  const steps = parts?.every((part) => part.delta === 0) ? parts : [{ epsilon, zcdp }];
  return steps.map((step) => {
    // Half the divergence of a pure step is what the exponential mechanism has.
    const halved = step.zcdp !== undefined && step.zcdp <= (step.epsilon ** 2 / 8) * (1 + 1e-9);
    return { kind: halved ? 'bounded-range' : 'approximate', size: step.epsilon, delta: 0 };
  });
}
