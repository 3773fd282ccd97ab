import type { Mechanism, MechanismOptions } from '../generated/mechanisms.js';
import type { Guarantee, NoiseEnvelope, RawColumnCounts, RawCounts } from '../generated/raw.js';

/** What a column tells the people who look for it in their files. */
export interface ColumnWords {
  /** What the column holds, in a few words: up to 200 characters. */
  label?: string;
  /** The unit of its values: up to 40 characters. */
  unit?: string;
  /** Anything else that participants need, such as how to convert: up to 1000 characters. */
  description?: string;
}

/**
 * A column of numbers with public bounds. Values outside are moved to the nearest bound.
 *
 * If a column states a `centre` or a `spread`, all rows are encoded as (x - centre) / spread, and rowNorm is
 * in these units: shorter rows need less noise. Both are public: choose them from general knowledge or from
 * an earlier result (`Moments.centredStudy`), never by looking at the data. Needs mechanism `gaussian` or
 * `two-sided-wishart`, unit `row` and clipping `fixed`; works behind masks.
 */
export interface NumberColumn extends ColumnWords {
  name: string;
  type: 'number';
  min: number;
  max: number;
  /** About the mean, within the bounds. Default, if any column states something: their middle. */
  centre?: number;
  /** About the standard deviation; at most half the width of the bounds, the default. */
  spread?: number;
}

/** A column of labels. Each level becomes one 0/1 feature, `column=level`. */
export interface CategoryColumn extends ColumnWords {
  name: string;
  type: 'category';
  /** As the cells have them. */
  levels: readonly string[];
  /** What people call levels, such as `{ "1": "female" }`: up to 200 characters each. Data and results have the levels. */
  levelLabels?: Readonly<Record<string, string>>;
}

export type Column = NumberColumn | CategoryColumn;

/** What one neighbour step changes. A participant's rows count as their average. */
export type Unit = 'row' | 'participant';

/**
 * Which two data sets a release must make hard to tell apart: those that differ in one unit replaced by
 * any other, or in one added or left out. For unit `participant`, left out means that their file is empty,
 * because it is visible who takes part.
 */
export type Neighbours = 'replace-one' | 'add-remove';

/**
 * What happens to a row with a missing, unreadable or non-finite cell: it counts as the public centre (the
 * middle of all bounds, the stated centres or, with private centring, that of its release), it is left out,
 * or the whole data set is refused. With `pairwise` its other cells are used: releases also say how many rows
 * have each pair of columns, and every entry of the covariance comes from the rows that have both. Needs a mechanism of moments
 * and no private centring. With `mean` a missing cell gets the mean that its release found privately, releases
 * say how many cells each column lacks, and the analysis corrects variances as if gaps were independent of each other
 * and of all values. Needs private centring.
 */
export type MissingRule = 'centre' | 'drop' | 'error' | 'pairwise' | 'mean';

/**
 * `fixed`: rows longer than rowNorm are scaled down to it. `adaptive`: each release spends part of its
 * budget on choosing a shorter radius from the lengths of its rows, because noise grows with the square
 * of the radius; needs mechanism `gaussian` and unit `row`. `centred`: each release spends part of its budget
 * on a centre and a scale for each column, reads its rows a second time in these coordinates, and chooses a
 * radius about that centre; needs mechanism `gaussian` or `two-sided-wishart`, unit `row` and federation
 * `independent`.
 */
export type Clipping = 'fixed' | 'adaptive' | 'centred';

export type {
  ComponentsMechanismName,
  EigenMethod,
  Mechanism,
  MechanismName,
  MomentsMechanismName,
  Shape,
} from '../generated/mechanisms.js';

/** What a release holds: noisy second moments, or directions. */
export type Content = 'moments' | 'components';

/** `exact`: proved for the integers the code computes with. `idealized`: for real numbers only. */
export type Numerics = 'exact' | 'idealized';

/** How the sites of a study hide their single releases, of which only the sum is then seen; `independent`: they do not. */
export type FederationMode = 'independent' | 'split' | 'ring' | 'correlated';

/**
 * How releases become one result. `sites`: maximum number of sites. `honest`: minimum number of them that
 * do not collude, that is, keep their noise, masks and keys secret; the others may collude. `dropouts`:
 * maximum number of sites missing from a sum. Any sum has at least `honest` minus `dropouts` honest
 * releases, which together have the noise that the guarantee needs.
 */
export type Federation =
  /** Each release has all of its noise. */
  | { mode: 'independent'; sites?: number; honest?: number }
  /** Each site sends a masked vector to the analyst, and the sealed mask to a helper. */
  | { mode: 'split'; sites: number; honest: number; dropouts: number }
  /** Pairwise masks, which cancel in the sum; `threshold` sites must answer to remove those that do not. */
  | { mode: 'ring'; sites: number; honest: number; dropouts: number; threshold: number }
  /**
   * Pairwise Gaussian masks, as in capeCCA, with `ratio` times the variance of each site's own noise.
   * Calibration `paper`: as published, for one message alone; `joint`: for all messages together.
   */
  | {
      mode: 'correlated';
      sites: number;
      honest: number;
      ratio: number;
      calibration: 'joint' | 'paper';
    };

export interface Privacy {
  /** Finite and positive. There is no default. */
  epsilon: number;
  /** 0, or strictly between 0 and 1. Some mechanisms need it above 0. */
  delta: number;
}

/** The argument of `defineStudy`. Everything with a default is optional. */
export interface StudyDefinition {
  format?: typeof STUDY_FORMAT;
  title: string;
  description?: string;
  /** Who runs the study, in a name that participants know: up to 200 characters. */
  organizer?: string;
  /** Where to send releases and questions, an email address or instructions: up to 200 characters. */
  contact?: string;
  columns: readonly Column[];
  /** Two or more disjoint groups of columns, by name. */
  views?: Readonly<Record<string, readonly string[]>>;
  /** Default `row`. */
  unit?: Unit;
  /** Default `replace-one`. */
  neighbours?: Neighbours;
  /** Default `centre` under replace-one, `drop` under add-remove. */
  missing?: MissingRule;
  /**
   * What stands for a missing value in the data, such as `NA` or `-999`: up to 20 texts of up to 40 characters.
   * An empty cell is always missing, and so is any word in a column of numbers. A number is compared by its
   * value, in columns of numbers.
   */
  missingValues?: readonly string[];
  /**
   * Public clip radius in scaled units. Default: the square root of the number of columns, the longest possible
   * row. With stated centres and spreads in units of these, and by default twice that root: few rows are longer.
   */
  rowNorm?: number;
  /**
   * Default `centred` if the mechanism is `gaussian` or `two-sided-wishart`, the unit `row`, the federation
   * independent, and rowNorm, centres and spreads are left out; else `fixed`. If missing is `pairwise`,
   * `adaptive` takes the place of `centred` with mechanism `gaussian`, and `fixed` with others.
   */
  clipping?: Clipping;
  privacy: Privacy;
  /**
   * Its name, or its name and its options. Default `gaussian` where delta is above 0,
   * `two-sided-wishart` where it is 0.
   */
  mechanism?: string | ({ name: string } & MechanismOptions);
  /** Default `{ mode: 'independent' }`. */
  federation?: {
    mode: string;
    sites?: number;
    honest?: number;
    /** `split` and `ring`. Default: 0, or `sites` minus the `threshold` of a ring. */
    dropouts?: number;
    /** `ring` only. Default: `sites` minus `dropouts`. */
    threshold?: number;
    /** `correlated` only. Default 1, as published. */
    ratio?: number;
    /** `correlated` only. Default `joint`. */
    calibration?: string;
  };
}

/** A study with every default written out. `study.id` is the SHA-256 of its canonical JSON. */
export interface StudyJSON {
  format: typeof STUDY_FORMAT;
  title: string;
  description?: string;
  organizer?: string;
  contact?: string;
  columns: Column[];
  views?: Record<string, string[]>;
  unit: Unit;
  neighbours: Neighbours;
  missing: MissingRule;
  missingValues?: string[];
  rowNorm: number;
  clipping: Clipping;
  privacy: Privacy;
  mechanism: Mechanism;
  federation: Federation;
}

/** One coordinate of an encoded row: a number column, or one level of a category. */
export interface Feature {
  name: string;
  column: string;
  level?: string;
}

export const STUDY_FORMAT = 'private-moments/study@1';
export const RELEASE_FORMAT = 'private-moments/release@1';

/** Maximum number of features of a study. */
export const MAX_FEATURES = 1000;

export type { Cost, Guarantee, GuaranteePart, NoiseEnvelope } from '../generated/raw.js';

/** The clip radius that a release chose, and the noisy counts behind it. */
export interface ClipChoice {
  /**
   * With adaptive clipping the radius is rowNorm times 1, 5/7, 1/2, 5/14, 1/4, 5/28 or 1/8: level 0 to 6.
   * With private centring it is the radius of `centring` times one of up to 24 ratios: level 0 to 23.
   */
  level: number;
  /**
   * In units of 2^-16 rows. With adaptive clipping: noisy counts of the rows longer than rowNorm times
   * 5/7, 1/2, .. 1/8; under add-remove, the last is the count of all rows. With private centring: of the
   * rows between one radius and the next.
   */
  counts: number[];
}

/**
 * What a release with private centring chose first, and the noisy sums behind it. Its values are about
 * `centre`, in units of `scale`.
 */
export interface CentringChoice {
  /**
   * The first step, in units of 2^-16: the noisy number of rows (exact under replace-one), the noisy sum of
   * each feature in scaled units, and for each number column the noisy sum of its squares minus 1/2.
   */
  survey: number[];
  /** For each feature, scaled units. */
  centre: number[];
  /** For each feature, scaled units. */
  scale: number[];
  /** The longest clip radius, in units of `scale`. */
  radius: number;
  /** Number of clip radii. */
  levels: number;
}

/** Everything that leaves a participant's machine. */
export interface ReleaseJSON {
  format: typeof RELEASE_FORMAT;
  /** `private-moments/` and the version that made it. */
  library: string;
  /** The id of the study. */
  study: string;
  mechanism: Mechanism;
  content: Content;
  guarantee: Guarantee;
  /** Number of rows (or participants) in the sums; null if that number is private. */
  rows: number | null;
  /** With adaptive clipping and private centring. */
  clipping?: ClipChoice;
  /** With private centring only. */
  centring?: CentringChoice;
  noise: NoiseEnvelope;
  numerics: Numerics;
  /**
   * Whole numbers. Moments: noisy second moments, upper triangle, row by row, constant coordinate
   * first. Components: for each, its value (where the mechanism has values) and its direction.
   */
  values: number[];
  /** SHA-256 of the canonical JSON of everything else. */
  id: string;
}

export type CsvDelimiter = ',' | ';' | '\t' | '|';
export type CsvDecimal = '.' | ',';
/** Older Excel saves CSV as `windows-1252`, and "Unicode text" as `utf-16le`. */
export type CsvEncoding = 'utf-8' | 'utf-16le' | 'windows-1252';

/** Shown to the participant, never released. */
export interface LocalCounts extends Omit<RawCounts, 'columns'> {
  columns: LocalColumnCounts[];
  /** Columns of the data that the study does not use; their cells are split off and not read. */
  ignored: string[];
  /** What to check before these data are released, at most one of a kind for each column. */
  warnings: LocalWarning[];
}

export interface LocalWarning {
  /**
   * `unreadable-column`: no cell could be read, and the result says nothing about this column.
   * `unreadable-cells`: some are not empty and could not be read, such as words in a column of numbers.
   * `possible-codes`: some numbers are far outside the bounds and often stand for a missing value.
   */
  code: 'unreadable-column' | 'unreadable-cells' | 'possible-codes';
  /** Name of the study's column. */
  column: string;
  /** Names row and column, never a value. */
  message: string;
}

export interface LocalColumnCounts extends RawColumnCounts {
  name: string;
  /** The name of the matching column in the data. */
  from: string;
  /**
   * Of `missing`, the cells that are not empty: text in a column of numbers, or none of a category's levels.
   * Those that `missingValues` names are not counted.
   */
  unreadable: number;
  /** The first three rows with such a cell. The first row after the header is 1. */
  unreadableRows: number[];
  /**
   * Common codes for a missing value, such as -999, among the numbers far outside the bounds, if most numbers
   * are within them. Each counts as the nearest bound, unless `missingValues` names it.
   */
  codes: number[];
}

export interface Progress {
  /** Data rows read so far. */
  rows: number;
  /** 0 to 1, or null if the size of the data is unknown. */
  fraction: number | null;
}

/** Row-major: the entry in row i and column j is `values[i * columns.length + j]`. */
export interface Matrix {
  rows: string[];
  columns: string[];
  values: Float64Array;
}

/**
 * A matrix of estimates. If a `level` was set, `low` and `high` are the ends of their intervals, and `p` the
 * p-values of the hypotheses that they are 0, under privacy noise and sampling together.
 */
export interface Estimates extends Matrix {
  low?: Float64Array;
  high?: Float64Array;
  p?: Float64Array;
}
