import { list, plural } from 'private-moments/words';
import { csvRecords } from 'private-moments/internal';
import { numberIn } from '../controls/input-values.js';
import { emptyColumn, freshKey, type Draft, type DraftColumn } from './draft.js';

/** A row of a pasted table: texts of a column, and the name of its view. */
type PastedColumn = Omit<DraftColumn, 'key' | 'type' | 'view' | 'stated'> & { view: string };
type Part = keyof PastedColumn;

/** The columns in pasted cells, or why there are none. */
export type Pasted = PastedTable | { problem: string };

interface PastedTable {
  columns: PastedColumn[];
  /** Headings that say nothing of a column. */
  unused: string[];
}

/** What a heading may be called. */
const HEADINGS: Record<Part, readonly string[]> = {
  name: ['name', 'column', 'variable', 'field'],
  label: ['label', 'meaning'],
  min: ['min', 'minimum', 'lowest'],
  max: ['max', 'maximum', 'highest'],
  levels: ['levels', 'categories'],
  levelLabels: ['names of levels', 'level labels'],
  unit: ['unit', 'units'],
  deviation: ['usual spread', 'standard deviation', 'sd'],
  weight: ['weight'],
  description: ['note', 'description'],
  view: ['view', 'group'],
};

const MAY_BE_DATA =
  'Nothing was filled in: these cells may be rows of data. Paste names alone, in one row or one column, or a table with the headings name, meaning, unit, min and max.';

/**
 * The columns in cells pasted from a spreadsheet: names alone, or a table whose headings say what each cell is.
 * Limits come only from below the headings min and max; what may be rows of data is refused as a whole.
 * Undefined if the text is not a block of cells.
 */
export function pastedColumns(text: string): Pasted | undefined {
  const rows = [...csvRecords(text, '\t')].filter((cells) => cells.some((cell) => cell !== ''));
  const [headings = [], ...others] = rows;
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  if (rows.length * width < 2) return undefined;
  const parts = headings
    .map(partOf)
    .map((part, i, all) => (all.indexOf(part) === i ? part : undefined));
  const known = new Set(parts.filter((part) => part !== undefined));
  if (known.has('name') && others.length > 0 && (width === 1 || known.size > 1)) {
    const unused = headings.filter((heading, i) => heading !== '' && parts[i] === undefined);
    return checked({ columns: others.map((cells) => columnIn(cells, parts)), unused });
  }
  if (rows.length > 1 && width > 1) return { problem: MAY_BE_DATA };
  const names = rows.flat().filter((cell) => cell !== '');
  return checked({ columns: names.map((name) => ({ ...EMPTY, name })), unused: [] });
}

const EMPTY: PastedColumn = {
  ...{ name: '', label: '', min: '', max: '', levels: '', levelLabels: '' },
  ...{ unit: '', deviation: '', weight: '', description: '', view: '' },
};

function partOf(heading: string): Part | undefined {
  const parts = Object.keys(HEADINGS) as Part[];
  return parts.find((part) => HEADINGS[part].includes(heading.toLowerCase()));
}

function columnIn(cells: readonly string[], parts: readonly (Part | undefined)[]): PastedColumn {
  const texts = parts.flatMap((part, i) => (part === undefined ? [] : [[part, cells[i] ?? '']]));
  const column = { ...EMPTY, ...(Object.fromEntries(texts) as Partial<PastedColumn>) };
  return { ...column, levels: column.levels.replaceAll(/\s*[;|]\s*/g, ', ') };
}

/** Refuses cells that are not names, as in a column of data; a message never repeats one. */
function checked(pasted: PastedTable): Pasted {
  const names = pasted.columns.map(({ name }) => name);
  if (names.includes('')) {
    const row = names.indexOf('') + 1;
    return { problem: `Nothing was filled in: row ${row} below the headings has no name.` };
  }
  return names.some((name) => !Number.isNaN(numberIn(name))) || new Set(names).size < names.length
    ? { problem: MAY_BE_DATA }
    : pasted;
}

/** The draft with pasted columns: those it has are completed, others added, and an empty row is replaced. */
export function withPasted(
  { columns, views }: Pick<Draft, 'columns' | 'views'>,
  pasted: readonly PastedColumn[],
): Pick<Draft, 'columns' | 'views'> {
  const allViews = [...views];
  const viewOf = (name: string): number => {
    const own = allViews.find((view) => view.name.trim() === name);
    if (own !== undefined) return own.key;
    const key = freshKey(allViews);
    allViews.push({ key, name });
    return key;
  };
  const all = columns.filter((column) => !isBlank(column));
  for (const { view, ...texts } of pasted) {
    const filled = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
    const place = all.findIndex(({ name }) => name.trim() === texts.name);
    const before = all[place] ?? emptyColumn(freshKey(all));
    all[place < 0 ? all.length : place] = {
      ...before,
      ...filled,
      ...(texts.levels === '' ? {} : { type: 'category' }),
      ...(view === '' ? {} : { view: viewOf(view) }),
    };
  }
  return { columns: all, views: allViews };
}

function isBlank(column: DraftColumn): boolean {
  return Object.values(column).every(
    (part) => typeof part !== 'string' || part.trim() === '' || part === 'number',
  );
}

/** What was filled in, and what to check before it is used. */
export function pastedInWords({ columns, unused }: PastedTable): string {
  const hasLimits = columns.some(({ min, max }) => min !== '' || max !== '');
  return [
    `${plural(columns.length, 'column')} pasted.`,
    ...(hasLimits
      ? ['Check that the limits are what any textbook would give, not the extremes of your data.']
      : []),
    ...(unused.length === 0 ? [] : [`Not used: ${list(unused)}.`]),
  ].join(' ');
}
