import { weightedColumns } from 'private-moments';
import type { Clipping, Column, NumberColumn, Study, StudyDefinition } from 'private-moments';
import { defaultMechanism, MECHANISM_FACTS, MECHANISMS } from 'private-moments/internal';
import { numberIn } from '../controls/input-values.js';

/** A column of the form, as far as weights depend on it. */
interface FormColumn {
  key: number;
  name: string;
  type: Column['type'];
  weight: string;
  stated?: object;
}

interface Columns {
  columns: readonly FormColumn[];
}

/** A draft, as far as weights depend on it. */
interface Weightable extends Columns {
  unit: Study['unit'];
  mechanism: string;
  delta: number;
}

/** The largest ratio of two weights. */
const MOST = 1000;

/** The weight of a column of the form: 1 if none is typed, or for a category. */
function weightIn({ type, weight }: FormColumn): number {
  return type === 'category' || weight.trim() === '' ? 1 : numberIn(weight);
}

/** Whether some column has another weight than others. */
export function isWeighted({ columns }: Columns): boolean {
  const weights = columns.map(weightIn);
  return weights.some((weight) => weight !== weights[0]);
}

/** The columns with every weight empty. */
export function withoutWeights<Each extends FormColumn>(columns: readonly Each[]): Each[] {
  return columns.map((column) => ({ ...column, weight: '' }));
}

/** The columns and the row norm of the draft's weights, which are valid; the plain columns without weights. */
export function weighted(
  draft: Columns,
  columns: readonly Column[],
): Pick<StudyDefinition, 'columns' | 'rowNorm'> {
  if (!isWeighted(draft)) return { columns: [...columns] };
  const weights = draft.columns
    .filter(({ type }) => type === 'number')
    .map((column) => [column.name.trim(), weightIn(column)] as const);
  return weightedColumns(columns, Object.fromEntries(weights));
}

/** Why the study cannot have weights, in a sentence; undefined if it can. */
export function weightObstacle(
  { columns, unit, mechanism, delta }: Weightable,
  clipping: Clipping,
): string | undefined {
  if (columns.some(({ stated }) => stated !== undefined)) {
    return 'This study states a centre and a spread of each column, which weights would replace.';
  }
  if (unit !== 'row') return 'Weights need a study that protects one row.';
  const name = mechanism === '' ? defaultMechanism(delta) : mechanism;
  const known = MECHANISMS.find((other) => other === name);
  if (known === undefined || !MECHANISM_FACTS[known].centring) {
    return 'Weights need Gaussian or two-sided Wishart noise.';
  }
  return clipping === 'fixed' ? undefined : CLIPPING_OBSTACLES[clipping];
}

const CLIPPING_OBSTACLES: Record<Exclude<Clipping, 'fixed'>, string> = {
  centred:
    'Weights need the same limit for every row. With private centring each release finds a spread of its own for each column, which leaves no room for weights.',
  adaptive:
    'Weights need the same limit for every row. Adaptive clipping chooses its limit for columns that all count alike.',
};

/** What is wrong with the weights that are typed. */
export function weightProblems(
  draft: Weightable,
  clipping: Clipping,
): { field: string; message: string }[] {
  const { columns } = draft;
  const least = Math.min(...columns.map(weightIn).filter((weight) => weight > 0));
  const hasCategories = columns.some(({ type }) => type === 'category');
  const obstacle = isWeighted(draft) ? weightObstacle(draft, clipping) : undefined;
  return columns.flatMap((column) => {
    const { key, name, type, weight } = column;
    if (type === 'category' || weight.trim() === '') return [];
    const own = weightIn(column);
    const message = !(own > 0 && own < Infinity)
      ? `The weight of “${name}” must be a number above 0, or empty.`
      : hasCategories && own < 1
        ? `Beside categories, whose weight is 1, the weight of “${name}” must be at least 1.`
        : own > MOST * least
          ? `The weight of “${name}” is more than ${MOST} times that of another column.`
          : obstacle;
    return message === undefined ? [] : [{ field: `columns.${key}.weight`, message }];
  });
}

/**
 * The weights that a study's stated spreads come from, by column, as text; undefined if it states none or other
 * coordinates. Text of a weight of 1 is empty.
 */
export function weightsOf(
  study: Study,
): { texts: ReadonlyMap<string, string>; rowNorm: number } | undefined {
  const numbers = study.columns.filter((column) => column.type === 'number');
  const weights = numbers.map(({ name, min, max, spread }): [string, number] => {
    const half = max / 2 - min / 2;
    return [name, Number((half / (spread ?? half)).toPrecision(PRECISION))];
  });
  if (weights.every(([, weight]) => weight === 1)) return undefined;
  const plain = study.columns.map((column): Column =>
    column.type === 'number' ? bare(column) : column,
  );
  const again = weightedColumns(plain, Object.fromEntries(weights));
  const isSame = again.columns.every((column, i) => {
    const own = study.columns[i];
    return (
      column.type === 'category' ||
      (own?.type === 'number' && own.centre === column.centre && own.spread === column.spread)
    );
  });
  if (!isSame) return undefined;
  const texts = weights.map(
    ([name, weight]) => [name, weight === 1 ? '' : String(weight)] as const,
  );
  return { texts: new Map(texts), rowNorm: again.rowNorm };
}

/** Digits of a weight that was computed from a spread. */
const PRECISION = 12;

function bare({ name, type, min, max }: NumberColumn): NumberColumn {
  return { name, type, min, max };
}
