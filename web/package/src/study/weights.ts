import { checker } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Column, NumberColumn, StudyDefinition } from './types.js';

const check = checker('invalid-column');

/**
 * Columns of which some get less noise than others, and the row norm that no row exceeds, to be spread into a
 * definition. In scaled units the entry of columns i and j has noise in proportion to R² / (w_i w_j), with the
 * weights w and R² the sum of w² over the columns; results without noise do not depend on the weights. A weight
 * is stated as a spread: that of a column, or half the width of its bounds, over its weight. So the study needs
 * mechanism `gaussian` or `two-sided-wishart`, unit `row` and clipping `fixed` (docs/sensitivity.md).
 *
 * @param weights by the name of number columns, above 0; 1 for all others. Only their ratios matter.
 * @throws PrivateMomentsError `invalid-column` for other names, weights that are not above 0, weights below 1
 * beside categories, whose weight is 1, and ratios above 1000
 *
 * @example
 * ```ts
 * const columns: Column[] = [
 *   { name: 'sleep', type: 'number', min: 0, max: 14 },
 *   { name: 'mood', type: 'number', min: 0, max: 10 },
 *   { name: 'age', type: 'number', min: 18, max: 90 },
 * ];
 * const study = defineStudy({
 *   title: 'Sleep and mood',
 *   privacy: { epsilon: 1, delta: 1e-6 },
 *   ...weightedColumns(columns, { sleep: 2, mood: 2 }),
 * });
 * ```
 */
export function weightedColumns(
  columns: readonly Column[],
  weights: Readonly<Record<string, number>>,
): Required<Pick<StudyDefinition, 'columns' | 'rowNorm'>> {
  check.list(columns, 'columns');
  const numbers = columns.filter((column) => column.type === 'number');
  check.object(
    weights,
    'weights',
    [],
    numbers.map(({ name }) => name),
  );
  const weightOf = ({ name }: NumberColumn): number =>
    Object.hasOwn(weights, name) ? check.number(weights[name], `weights.${name}`) : 1;
  const hasCategories = numbers.length < columns.length;
  const all = numbers.map(weightOf);
  const least = Math.min(...all, ...(hasCategories ? [1] : []));
  if (!(least > 0)) refuse('a weight must be above 0');
  if (hasCategories && least < 1) {
    refuse('beside categories, whose weight is 1, a weight must be at least 1');
  }
  if (Math.max(...all) > MOST * least) refuse(`weights must not differ by more than ${MOST} times`);
  let square = columns.length - numbers.length;
  const weighted = columns.map((column): Column => {
    if (column.type === 'category') return column;
    const { min, max } = column;
    const { centre = min / 2 + max / 2, spread = max / 2 - min / 2 } = column;
    const own = (spread * least) / weightOf(column);
    square += (Math.max(max - centre, centre - min) / own) ** 2;
    return { ...column, centre, spread: own };
  });
  return { columns: weighted, rowNorm: Math.sqrt(square) };
}

const MOST = 1000;

function refuse(message: string): never {
  throw new PrivateMomentsError('invalid-column', message, { field: 'weights' });
}
