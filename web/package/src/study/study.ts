import { canonicalJson, digest } from '../base/canonical.js';
import { checker, part, requireFormat, type Check } from '../base/check.js';
import { PrivateMomentsError, type ErrorCode } from '../base/errors.js';
import { isStated } from './coordinates.js';
import { countsGaps, marksGaps, usesPartialRows } from './gaps.js';
import { readFederation, requireShareable } from './federation-terms.js';
import { MAX_STUDY_BYTES, pack, unpack } from '../base/link.js';
import { MECHANISM_FACTS } from '../generated/mechanisms.js';
import {
  clippingsOf,
  contentOf,
  APPROXIMATE,
  defaultMechanism,
  MECHANISMS,
  mechanismsWith,
  readMechanism,
} from './mechanism.js';
import {
  MAX_FEATURES,
  STUDY_FORMAT,
  type CategoryColumn,
  type Column,
  type ColumnWords,
  type Feature,
  type Federation,
  type Mechanism,
  type Clipping,
  type MissingRule,
  type Neighbours,
  type NumberColumn,
  type Privacy,
  type StudyDefinition,
  type StudyJSON,
  type Unit,
} from './types.js';

const UNITS: readonly Unit[] = ['row', 'participant'];
const NEIGHBOURS: readonly Neighbours[] = ['replace-one', 'add-remove'];
const CLIPPING: readonly Clipping[] = ['fixed', 'adaptive', 'centred'];
const MISSING: readonly MissingRule[] = ['centre', 'drop', 'error', 'pairwise', 'mean'];
const COLUMN_WORDS = [
  ['label', 200],
  ['unit', 40],
  ['description', 1000],
] as const;
const WORD_KEYS = COLUMN_WORDS.map(([key]) => key);
const CATEGORY_KEYS = [...WORD_KEYS, 'levels', 'levelLabels'];
const NUMBER_KEYS = [...WORD_KEYS, 'min', 'max', 'centre', 'spread'];
const MAX_MISSING_VALUES = 20;
const MAX_MISSING_VALUE = 40;
/** Mechanisms that were published as private, and are not. */
const NOT_PRIVATE = ['sn', 'symmetric-noise', 'jiang-wishart'];
const LINK_KEY = 'study';

const DEFINITION_KEYS = ['title', 'columns', 'privacy'];
const OPTIONAL_KEYS = [
  'format',
  'description',
  'organizer',
  'contact',
  'views',
  'unit',
  'neighbours',
  'missing',
  'missingValues',
  'rowNorm',
  'clipping',
  'mechanism',
  'federation',
];

/** The smallest spread, in half widths of the bounds. */
const SMALLEST_SPREAD = 2 ** -20;

/** The squared row norm must neither overflow nor vanish. */
const LARGEST_ROW_NORM = 1e100;
const SMALLEST_ROW_NORM = 1e-100;

/** The optional texts of a study for its participants, and their maximum lengths in characters. */
const TEXTS = [
  ['description', 4000],
  ['organizer', 200],
  ['contact', 200],
] as const;

const TEXT_KEYS = [...TEXTS.map(([key]) => key), 'missingValues'] as const;

type Texts = Partial<Pick<StudyJSON, (typeof TEXT_KEYS)[number]>>;

const FORMAT_CODES = { invalid: 'invalid-study', version: 'study-version' } as const;

const check = checker('invalid-study');

/**
 * The public terms that all participants of a study share. Immutable. Two studies with the same content
 * have the same `id`, regardless of key order and of whether defaults were written out.
 */
export class Study implements StudyJSON {
  readonly format = STUDY_FORMAT;
  readonly title: string;
  declare readonly description?: string;
  declare readonly organizer?: string;
  declare readonly contact?: string;
  readonly columns: Column[];
  /** In alphabetical order, so that equal studies have equal ids. */
  declare readonly views?: Record<string, string[]>;
  readonly unit: Unit;
  readonly neighbours: Neighbours;
  readonly missing: MissingRule;
  /** What stands for a missing value, besides an empty cell. */
  declare readonly missingValues?: string[];
  readonly rowNorm: number;
  readonly clipping: Clipping;
  readonly privacy: Privacy;
  readonly mechanism: Mechanism;
  readonly federation: Federation;
  /** The coordinates of an encoded row, in the order of the columns. */
  readonly features: readonly Feature[];
  /** SHA-256 of the canonical JSON, 64 hex digits. */
  readonly id: string;

  /** @internal Call `defineStudy`, `parseStudy` or `studyFromLink`, which check everything. */
  constructor(checked: StudyJSON) {
    this.title = checked.title;
    Object.assign(this, textsOf(checked));
    this.columns = checked.columns;
    if (checked.views !== undefined) this.views = checked.views;
    this.unit = checked.unit;
    this.neighbours = checked.neighbours;
    this.missing = checked.missing;
    this.rowNorm = checked.rowNorm;
    this.clipping = checked.clipping;
    this.privacy = checked.privacy;
    this.mechanism = checked.mechanism;
    this.federation = checked.federation;
    this.features = featuresOf(checked.columns);
    this.id = digest(this.toJSON());
    freezeDeep(this);
  }

  /** The whole study with every default written out, as `defineStudy` accepts it. */
  toJSON(): StudyJSON {
    const { views } = this;
    return structuredClone({
      format: this.format,
      title: this.title,
      ...textsOf(this),
      columns: this.columns,
      ...(views === undefined ? {} : { views }),
      unit: this.unit,
      neighbours: this.neighbours,
      missing: this.missing,
      rowNorm: this.rowNorm,
      clipping: this.clipping,
      privacy: this.privacy,
      mechanism: this.mechanism,
      federation: this.federation,
    });
  }

  /**
   * A link to `base` (an absolute URL of a page that opens studies) with the whole study in its fragment, which
   * browsers do not send to servers. Replaces an existing fragment of `base`.
   * @throws PrivateMomentsError `invalid-link` if `base` is not an absolute URL.
   */
  toLink(base: string | URL): string {
    let url: URL;
    try {
      url = new URL(base);
    } catch (cause) {
      throw new PrivateMomentsError(
        'invalid-link',
        'a study link needs an absolute URL to start from',
        {},
        cause,
      );
    }
    url.hash = `${LINK_KEY}=${pack(canonicalJson(this.toJSON()))}`;
    return url.href;
  }
}

/**
 * Checks a study and fills in the defaults.
 * @throws PrivateMomentsError naming the field (and column) at fault.
 *
 * @example
 * ```ts
 * const study = defineStudy({
 *   title: 'Sleep and mood',
 *   columns: [
 *     { name: 'sleep', type: 'number', min: 0, max: 14 },
 *     { name: 'mood', type: 'number', min: 0, max: 10 },
 *   ],
 *   views: { body: ['sleep'], mind: ['mood'] },
 *   privacy: { epsilon: 1, delta: 1e-6 },
 * });
 * const link = study.toLink('https://example.org/take-part.html');
 * ```
 */
export function defineStudy(definition: StudyDefinition): Study {
  const fields = check.object(definition, 'study', DEFINITION_KEYS, OPTIONAL_KEYS);
  if (fields.format !== undefined) requireFormat(fields, STUDY_FORMAT, FORMAT_CODES);
  const title = check.text(fields.title, 'title');
  const columns = readColumns(fields.columns);
  const unit = fields.unit === undefined ? 'row' : choice(fields.unit, 'unit', UNITS);
  const neighbours =
    fields.neighbours === undefined
      ? 'replace-one'
      : choice(fields.neighbours, 'neighbours', NEIGHBOURS);
  const views = readViews(fields.views, columns);
  const privacy = readPrivacy(fields.privacy);
  const mechanism = namedMechanism(fields.mechanism, privacy, featuresOf(columns).length);
  if (!MECHANISM_FACTS[mechanism.name].units.includes(unit)) {
    const message = `${mechanism.name} protects rows only: its proof does not cover a whole participant`;
    fail('invalid-unit', 'unit', message);
  }
  const federation = readFederation(fields.federation);
  const hasCoordinates = columns.some(isStated);
  const isOpen =
    fields.rowNorm === undefined && federation.mode === 'independent' && !hasCoordinates;
  const missing = readMissing(fields.missing, neighbours);
  const gaps = marksGaps(missing);
  const clipping = readClipping(fields.clipping, isOpen, mechanism, unit, gaps);
  requireShareable(federation, mechanism, clipping);
  if (hasCoordinates) requireStatable(mechanism, unit, clipping);
  if (gaps) requireMarkable(mechanism, clipping);
  if (countsGaps(missing)) requireMeans(clipping);
  if (usesPartialRows(missing)) requireRoomForGaps(missing, columns);
  return new Study({
    format: STUDY_FORMAT,
    title,
    ...textsIn(fields, TEXTS, check),
    ...readMissingValues(fields.missingValues),
    columns,
    ...(views === undefined ? {} : { views }),
    unit,
    neighbours,
    missing,
    rowNorm: readRowNorm(fields.rowNorm, columns, clipping),
    clipping,
    privacy,
    mechanism,
    federation,
  });
}

/** Optional texts of the given maximum lengths. */
function textsIn<Key extends string>(
  fields: Record<string, unknown>,
  texts: readonly (readonly [key: Key, maxLength: number])[],
  check: Check,
  path = '',
): Partial<Record<Key, string>> {
  const found: Partial<Record<Key, string>> = {};
  for (const [key, maxLength] of texts) {
    if (fields[key] === undefined) continue;
    const kind = key === 'description' ? 'lines' : 'text';
    found[key] = check[kind](fields[key], path + key, maxLength);
  }
  return found;
}

function textsOf(study: Texts): Texts {
  const present = TEXT_KEYS.filter((key) => study[key] !== undefined);
  return Object.fromEntries(present.map((key) => [key, study[key]]));
}

/**
 * Reads a study from the JSON text of `study.toJSON()`. @throws PrivateMomentsError as `defineStudy`, and `study-version`.
 *
 * @example
 * ```ts
 * const study = parseStudy(await file.text());
 * ```
 */
export function parseStudy(text: string): Study {
  if (typeof text !== 'string') {
    throw new PrivateMomentsError(
      'invalid-study',
      'parseStudy takes the JSON text of a study as a string',
    );
  }
  if (text.length > MAX_STUDY_BYTES) {
    throw new PrivateMomentsError(
      'invalid-study',
      'the study is larger than a study can be; ask the sender for a corrected file',
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new PrivateMomentsError(
      'invalid-study',
      'the study is not valid JSON; ask the sender for a corrected file',
      {},
      cause,
    );
  }
  requireFormat(json, STUDY_FORMAT, FORMAT_CODES);
  return defineStudy(json as StudyDefinition);
}

/**
 * Reads a study from a link made by `study.toLink`. Links are untrusted: sizes are bounded, and the first digits of
 * the study's id in the link must be those of the study.
 * @throws PrivateMomentsError `damaged-link`, `invalid-link`, `link-too-large`, and as `parseStudy`
 *
 * @example
 * ```ts
 * const study = studyFromLink(location.href);
 * ```
 */
export function studyFromLink(link: string | URL): Study {
  const text = String(link);
  const hash = text.indexOf('#');
  const packed = new URLSearchParams(hash < 0 ? '' : text.slice(hash + 1)).get(LINK_KEY);
  if (packed === null || packed === '') {
    throw new PrivateMomentsError(
      'invalid-link',
      'the link has no study after its #; copy the whole link again',
    );
  }
  return parseStudy(unpack(packed));
}

/** @throws PrivateMomentsError `invalid-study` if the argument is not a `Study`. */
export function requireStudy(study: unknown): Study {
  if (study instanceof Study) return study;
  throw new PrivateMomentsError(
    'invalid-study',
    'the study must come from defineStudy, parseStudy or studyFromLink',
  );
}

function readColumns(value: unknown): Column[] {
  const list = check.list(value, 'columns');
  if (list.length === 0 || list.length > MAX_FEATURES) {
    fail('invalid-dimension', 'columns', `a study has 1 to ${MAX_FEATURES} columns`);
  }
  const columns = list.map((column, index) => readColumn(column, `columns[${index}]`));
  const names = new Set<string>();
  for (const [index, { name }] of columns.entries()) {
    if (names.has(name)) {
      const field = `columns[${index}].name`;
      fail('duplicate-column', field, `two columns are called "${name}"`, name);
    }
    names.add(name);
  }
  const features = columns.reduce(
    (count, column) => count + (column.type === 'number' ? 1 : column.levels.length),
    0,
  );
  if (features > MAX_FEATURES) {
    const message = `a study has at most ${MAX_FEATURES} features (each level of a category is one), not ${features}`;
    fail('invalid-dimension', 'columns', message);
  }
  requireUniqueFeatures(columns);
  const states = (column: Column): boolean => 'centre' in column || 'spread' in column;
  return columns.some(states) ? columns.map(withCoordinates) : columns;
}

/** A column of a study in which some column states a centre or a spread. */
function withCoordinates(column: Column): Column {
  if (column.type === 'category') return column;
  const { min, max, centre = min / 2 + max / 2, spread = max / 2 - min / 2 } = column;
  return { ...column, centre, spread };
}

/** Requires releases that can be made in coordinates which the study states. */
function requireStatable({ name }: Mechanism, unit: Unit, clipping: Clipping): void {
  const what = 'columns with a centre or a spread';
  if (!MECHANISM_FACTS[name].centring) {
    const names = mechanismsWith(({ centring }) => centring).join(' or ');
    fail('invalid-mechanism', 'mechanism.name', `${what} need mechanism ${names}`);
  }
  if (unit !== 'row') fail('invalid-unit', 'unit', `${what} need unit row`);
  if (clipping !== 'fixed') {
    const message = `${what} need clipping fixed: they take the place of a private centre and radius`;
    fail('invalid-clipping', 'clipping', message);
  }
}

/** Requires releases in which rows can say where cells are missing. */
function requireMarkable(mechanism: Mechanism, clipping: Clipping): void {
  if (contentOf(mechanism) !== 'moments') {
    const message = `missing pairwise needs a mechanism that releases moments, and ${mechanism.name} releases directions: use centre or error`;
    fail('invalid-missing-rule', 'missing', message);
  }
  if (clipping === 'centred') {
    const message = `missing pairwise cannot be combined with private centring: use missing mean, clipping fixed or adaptive, or columns with a centre and a spread`;
    fail('invalid-clipping', 'clipping', message);
  }
}

/** Requires releases that find means of their own. */
function requireMeans(clipping: Clipping): void {
  if (clipping === 'centred') return;
  const names = mechanismsWith(({ centring }) => centring).join(' or ');
  const message = `missing mean needs private centring, which finds the means (mechanism ${names}, unit row, federation independent, without a rowNorm, centres and spreads): use pairwise or centre`;
  fail('invalid-missing-rule', 'missing', message);
}

/** Requires few enough columns for numbers that say where cells are missing. */
function requireRoomForGaps(missing: MissingRule, columns: readonly Column[]): void {
  const features = featuresOf(columns).length + columns.length;
  if (features > MAX_FEATURES) {
    const message = `with missing ${missing} each column counts once more, so a study of these columns has ${features} features, and at most ${MAX_FEATURES} are possible`;
    fail('invalid-dimension', 'columns', message);
  }
}

function readColumn(value: unknown, field: string): Column {
  const column = checker('invalid-column');
  const loose = column.object(value, field, ['name', 'type'], [...NUMBER_KEYS, ...CATEGORY_KEYS]);
  const name = column.text(loose.name, `${field}.name`);
  if (name !== name.trim()) {
    const message = `the column name "${name}" starts or ends with a space`;
    fail('invalid-column', `${field}.name`, message, name);
  }
  const words: ColumnWords = textsIn(loose, COLUMN_WORDS, column, `${field}.`);
  if (loose.type === 'number') {
    column.object(value, field, ['name', 'type'], NUMBER_KEYS);
    return { ...readNumberColumn(name, loose, field), ...words };
  }
  if (loose.type === 'category') {
    column.object(value, field, ['name', 'type'], CATEGORY_KEYS);
    const levels = readLevels(name, loose.levels, `${field}.levels`);
    const labels = readLevelLabels(levels, loose.levelLabels, `${field}.levelLabels`);
    return { name, type: 'category', levels, ...labels, ...words };
  }
  const message = `the type of column "${name}" must be number or category`;
  return fail('invalid-column', `${field}.type`, message, name);
}

function readNumberColumn(name: string, fields: Record<string, unknown>, field: string): Column {
  const bound = (key: 'min' | 'max'): number => {
    const value = fields[key];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    const message = `column "${name}" needs ${key}, a finite number chosen without looking at the data`;
    return fail('invalid-bounds', `${field}.${key}`, message, name);
  };
  const min = bound('min');
  const max = bound('max');
  // The encoding divides by the half width, so it must not underflow to 0.
  if (!(max / 2 - min / 2 > 0)) {
    fail('invalid-bounds', `${field}.min`, `column "${name}" needs min < max`, name);
  }
  return { name, type: 'number', min, max, ...readCoordinates(name, min, max, fields, field) };
}

function readCoordinates(
  name: string,
  min: number,
  max: number,
  fields: Record<string, unknown>,
  field: string,
): Pick<NumberColumn, 'centre' | 'spread'> {
  const { centre, spread } = fields;
  const half = max / 2 - min / 2;
  const isNumber = (value: unknown, low: number, high: number): value is number =>
    typeof value === 'number' && value >= low && value <= high;
  if (centre !== undefined && !isNumber(centre, min, max)) {
    const message = `the centre of column "${name}" must be a number within its bounds`;
    return fail('invalid-bounds', `${field}.centre`, message, name);
  }
  if (spread !== undefined && !isNumber(spread, half * SMALLEST_SPREAD, half)) {
    const message = `the spread of column "${name}" must be above 0 and at most half the width of its bounds`;
    return fail('invalid-bounds', `${field}.spread`, message, name);
  }
  return {
    ...(centre === undefined ? {} : { centre }),
    ...(spread === undefined ? {} : { spread }),
  };
}

function readLevels(name: string, value: unknown, field: string): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  if (list.length === 0 || list.length > MAX_FEATURES) {
    const message = `column "${name}" needs a list of 1 to ${MAX_FEATURES} levels`;
    fail('invalid-levels', field, message, name);
  }
  const levels = checker('invalid-levels');
  const seen = new Set<string>();
  return list.map((item, index) => {
    const level = levels.text(item, `${field}[${index}]`);
    if (level !== level.trim() || seen.has(level)) {
      const message = `the levels of column "${name}" must differ and not start or end with a space`;
      fail('invalid-levels', `${field}[${index}]`, message, name);
    }
    seen.add(level);
    return level;
  });
}

/** In the order of the levels; `{}` is as good as none. */
function readLevelLabels(
  levels: readonly string[],
  value: unknown,
  field: string,
): Pick<CategoryColumn, 'levelLabels'> {
  if (value === undefined) return {};
  const labels = checker('invalid-levels');
  const found = labels.object(value, field, [], levels);
  const labelled = levels.filter((level) => Object.hasOwn(found, level));
  if (labelled.length === 0) return {};
  const entries = labelled.map((level): [string, string] => [
    level,
    labels.text(found[level], `${field}.${level}`),
  ]);
  return { levelLabels: Object.fromEntries(entries) };
}

function requireUniqueFeatures(columns: readonly Column[]): void {
  const names = new Set<string>();
  for (const feature of featuresOf(columns)) {
    if (names.has(feature.name)) {
      const message = `two features are called "${feature.name}"; rename a column or a level`;
      fail('duplicate-column', 'columns', message, feature.column);
    }
    names.add(feature.name);
  }
}

function readViews(
  value: unknown,
  columns: readonly Column[],
): Record<string, string[]> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail('invalid-view', 'views', 'views must be an object of lists of column names');
  }
  const names = Object.keys(value).sort();
  if (names.length < 2) {
    fail('invalid-view', 'views', 'a study needs at least two views, or none');
  }
  const columnNames = new Set(columns.map((column) => column.name));
  const taken = new Map<string, string>();
  const view = checker('invalid-view');
  const entries = names.map((name): [string, string[]] => {
    const field = `views.${name}`;
    if (name !== view.text(name, 'views').trim() || name === '__proto__') {
      fail('invalid-view', field, `"${name}" cannot be the name of a view`);
    }
    const members = view.list((value as Record<string, unknown>)[name], field);
    if (members.length === 0) fail('invalid-view', field, `the view "${name}" has no columns`);
    return [
      name,
      members.map((item) => {
        const column = view.text(item, field);
        if (!columnNames.has(column)) {
          const message = `the view "${name}" names "${column}", which is not a column of the study`;
          fail('invalid-view', field, message, column);
        }
        const other = taken.get(column);
        if (other !== undefined) {
          const where = other === name ? `twice in the view "${name}"` : `in two views`;
          fail('invalid-view', field, `the column "${column}" is ${where}`, column);
        }
        taken.set(column, name);
        return column;
      }),
    ];
  });
  return Object.fromEntries(entries);
}

function readMissing(value: unknown, neighbours: Neighbours): MissingRule {
  if (value === undefined) return neighbours === 'replace-one' ? 'centre' : 'drop';
  const rule = checker('invalid-missing-rule').oneOf(value, 'missing', MISSING);
  if (rule === 'drop' && neighbours === 'replace-one') {
    const message =
      'dropping rows would reveal how many were dropped, as the number of rows is public under replace-one';
    fail('invalid-missing-rule', 'missing', `${message}; use centre or error`);
  }
  return rule;
}

/** Each once and in alphabetical order, so that equal studies have equal ids. */
function readMissingValues(value: unknown): Pick<StudyJSON, 'missingValues'> {
  if (value === undefined) return {};
  const field = 'missingValues';
  const check = checker('invalid-missing-rule');
  const texts = check
    .list(value, field)
    .map((item, index) => check.text(item, `${field}[${index}]`, MAX_MISSING_VALUE).trim());
  if (texts.length === 0 || texts.length > MAX_MISSING_VALUES) {
    fail('invalid-missing-rule', field, `missingValues has 1 to ${MAX_MISSING_VALUES} texts`);
  }
  return { missingValues: [...new Set(texts)].sort() };
}

function readRowNorm(value: unknown, columns: readonly Column[], clipping: Clipping): number {
  const root = Math.sqrt(columns.length);
  if (value === undefined) return columns.some(isStated) ? 2 * root : root;
  if (clipping === 'centred' && value !== root) {
    const message = 'with private centring each release chooses its own radius: leave rowNorm out';
    fail('invalid-row-norm', 'rowNorm', message);
  }
  const norm = checker('invalid-row-norm').number(value, 'rowNorm');
  if (norm < SMALLEST_ROW_NORM || norm > LARGEST_ROW_NORM) {
    const message = `rowNorm must be between ${SMALLEST_ROW_NORM} and ${LARGEST_ROW_NORM}`;
    fail('invalid-row-norm', 'rowNorm', message);
  }
  return norm;
}

/**
 * @param isOpen whether releases may choose: the study states no row norm, and nothing is masked
 * @param gaps whether rows say where cells are missing, which private centring cannot
 */
function readClipping(
  value: unknown,
  isOpen: boolean,
  { name }: Mechanism,
  unit: Unit,
  gaps: boolean,
): Clipping {
  if (value === undefined) {
    const possible = isOpen ? clippingsOf(name, unit, 'independent') : [];
    return possible.find((clipping) => !(gaps && clipping === 'centred')) ?? 'fixed';
  }
  const isRow = unit === 'row';
  const { adaptiveClipping, centring } = MECHANISM_FACTS[name];
  const clipping = checker('invalid-clipping').oneOf(value, 'clipping', CLIPPING);
  if (clipping === 'adaptive' && !(adaptiveClipping && isRow)) {
    const names = mechanismsWith((facts) => facts.adaptiveClipping).join(' or ');
    const message = `adaptive clipping needs mechanism ${names} and unit row: use fixed`;
    fail('invalid-clipping', 'clipping', message);
  }
  if (clipping === 'centred' && !(centring && isRow)) {
    const names = mechanismsWith((facts) => facts.centring).join(' or ');
    const message = `private centring needs mechanism ${names} and unit row: use fixed`;
    fail('invalid-clipping', 'clipping', message);
  }
  return clipping;
}

function readPrivacy(value: unknown): Privacy {
  const fields = check.object(value, 'privacy', [], ['epsilon', 'delta']);
  const epsilon = checker('invalid-epsilon').number(fields.epsilon, 'privacy.epsilon');
  if (epsilon <= 0) fail('invalid-epsilon', 'privacy.epsilon', 'epsilon must be above 0');
  const delta = checker('invalid-delta').number(fields.delta, 'privacy.delta');
  if (delta < 0 || delta >= 1) {
    fail('invalid-delta', 'privacy.delta', 'delta must be 0 or between 0 and 1 (exclusive)');
  }
  return { epsilon, delta };
}

function namedMechanism(value: unknown, privacy: Privacy, features: number): Mechanism {
  const isPure = privacy.delta === 0;
  const named = value === undefined ? defaultMechanism(privacy.delta) : value;
  const stated = typeof named === 'string' ? { name: named } : named;
  const wanted = part(stated, 'name');
  const name = MECHANISMS.find((candidate) => candidate === wanted);
  if (name === undefined) {
    const isNotPrivate = NOT_PRIVATE.includes(String(wanted).toLowerCase());
    const why = isNotPrivate ? `${String(wanted)} is not differentially private. ` : '';
    const names = `mechanism.name must be one of ${MECHANISMS.join(', ')}`;
    return fail('invalid-mechanism', 'mechanism.name', `${why}${names}`);
  }
  if (isPure && APPROXIMATE.includes(name)) {
    const pure = mechanismsWith((facts) => facts.pure).join(', ');
    const message = `${name} needs a delta above 0; with delta 0 use one of ${pure}`;
    fail('invalid-delta', 'privacy.delta', message);
  }
  const [check, countCheck] = [checker('invalid-mechanism'), checker('invalid-components')];
  return readMechanism(stated, name, features, check, countCheck);
}

function choice<T extends string>(
  value: unknown,
  field: 'unit' | 'neighbours',
  all: readonly T[],
): T {
  return checker(`invalid-${field}`).oneOf(value, field, all);
}

function featuresOf(columns: readonly Column[]): Feature[] {
  return columns.flatMap((column): Feature[] =>
    column.type === 'number'
      ? [{ name: column.name, column: column.name }]
      : column.levels.map((level) => ({
          name: `${column.name}=${level}`,
          column: column.name,
          level,
        })),
  );
}

function fail(code: ErrorCode, field: string, message: string, column?: string): never {
  throw new PrivateMomentsError(code, message, { field, column });
}

export function freezeDeep(value: object): void {
  // A list of numbers has no nested objects.
  const parts = Array.isArray(value) && typeof value[0] === 'number' ? [] : Object.values(value);
  for (const part of parts as unknown[]) {
    if (typeof part === 'object' && part !== null) freezeDeep(part);
  }
  Object.freeze(value);
}
