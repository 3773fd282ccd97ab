/** A column of numbers with public bounds. Values outside are moved to the nearest bound. */
export interface NumberColumn {
  name: string;
  type: 'number';
  min: number;
  max: number;
}

/** A column of labels. Each level becomes one 0/1 feature, `column=level`. */
export interface CategoryColumn {
  name: string;
  type: 'category';
  levels: readonly string[];
}

export type Column = NumberColumn | CategoryColumn;

/** What one neighbour step changes. A participant's rows count as their average. */
export type Unit = 'row' | 'participant';

/**
 * Which two data sets must look alike: with one unit replaced by any other, or with one added or
 * left out; of a participant, with an empty file in place of theirs, for who takes part is seen.
 */
export type Neighbours = 'replace-one' | 'add-remove';

/**
 * What becomes of a row with a missing, unreadable or non-finite cell: it counts as the public
 * centre, it is left out, or the whole data set is refused. Each is a function of that row alone.
 */
export type MissingRule = 'centre' | 'drop' | 'error';

/**
 * `fixed`: rows longer than rowNorm are shortened to it. `adaptive`: each release spends a part of
 * its budget on choosing a shorter radius by the lengths of its rows, as noise grows with the
 * radius squared. Needs mechanism `gaussian` and unit `row`.
 */
export type Clipping = 'fixed' | 'adaptive';

export type Shape = 'rotation-invariant' | 'upper-triangle';

/** How `eigenvector-sampling` spends its budget: docs/mechanisms/eigenvector-sampling.md. */
export type EigenMethod = 'rayleigh' | 'uniform' | 'adaptive';

/** Mechanisms whose releases are noisy second moments, and are put together by `assemble`. */
export type MomentsMechanismName =
  'gaussian' | 'two-sided-wishart' | 'laplace' | 'frobenius' | 'wishart';

/** Mechanisms whose releases are directions, and are put together by `assembleComponents`. */
export type ComponentsMechanismName = 'eigenvector-sampling' | 'ppca' | 'power-method';

export type MechanismName = MomentsMechanismName | ComponentsMechanismName;

/**
 * A mechanism with every default written out. `components` of a moments mechanism is how many
 * `pca` and `cca` show when not told otherwise; of the others, how many directions are released.
 */
export type Mechanism =
  | { name: 'gaussian'; shape: Shape; components?: number }
  | { name: Exclude<MomentsMechanismName, 'gaussian'>; components?: number }
  | { name: 'eigenvector-sampling'; method: EigenMethod; components: number }
  | { name: 'ppca'; components: number }
  | { name: 'power-method'; components: number; rounds: number };

/** What a release holds: noisy second moments, or directions. */
export type Content = 'moments' | 'components';

/** `exact`: proved for the integers the code computes with. `idealized`: for real numbers only. */
export type Numerics = 'exact' | 'idealized';

/** How the sites of a study keep each release from being looked at alone, if they do. */
export type FederationMode = 'independent' | 'split' | 'ring' | 'correlated';

/**
 * How releases become one result. `sites`: how many may take part, at most. `honest`: how many of these,
 * at least, keep their noise, masks and keys to themselves; the others may collude. `dropouts`: how many
 * may be missing from a sum, at most. Any sum holds `honest` less `dropouts` honest releases, which have
 * the noise of the promise together.
 */
export type Federation =
  /** Each release has all of its noise. */
  | { mode: 'independent'; sites?: number; honest?: number }
  /** Each sends one masked vector to the analyst and what unmasks it, sealed, to a helper. */
  | { mode: 'split'; sites: number; honest: number; dropouts: number }
  /** Masks between pairs, which cancel; `threshold` of the sites must answer to take the rest off. */
  | { mode: 'ring'; sites: number; honest: number; dropouts: number; threshold: number }
  /**
   * Gaussian masks between pairs, as in capeCCA, `ratio` times the variance of each one's own noise.
   * `paper`: calibrated as published, for one message alone; `joint`: for all of them together.
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

/** What `defineStudy` takes. Everything that has a default may be left out. */
export interface StudyDefinition {
  format?: typeof STUDY_FORMAT;
  title: string;
  description?: string;
  /** Who asks, for those who are asked: up to 200 characters. */
  organizer?: string;
  /** Where releases and questions go, in words or as an address: up to 200 characters. */
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
  /** Public clip radius in scaled units. Default: the square root of the number of columns, which no row exceeds. */
  rowNorm?: number;
  /** Default `adaptive` where it is possible and rowNorm is left out, else `fixed`. */
  clipping?: Clipping;
  privacy: Privacy;
  /** Default `gaussian` where delta is above 0, `two-sided-wishart` where it is 0. */
  mechanism?: {
    name: string;
    /** `gaussian` only. Default `rotation-invariant`. */
    shape?: Shape;
    /** 1 to the number of features. `ppca` and `power-method` need it. */
    components?: number;
    /** `eigenvector-sampling` only. Default `rayleigh`. */
    method?: EigenMethod;
    /** `power-method` only, 1 to 100. Default 3. */
    rounds?: number;
  };
  /** Default `{ mode: 'independent' }`. */
  federation?: {
    mode: string;
    sites?: number;
    honest?: number;
    /** `split` and `ring`. Default: 0, or `sites` less the `threshold` of a ring. */
    dropouts?: number;
    /** `ring` only. Default: `sites` less `dropouts`. */
    threshold?: number;
    /** `correlated` only. Default 1, as published. */
    ratio?: number;
    /** `correlated` only. Default `joint`. */
    calibration?: string;
  };
}

/** A study with every default written out; its canonical JSON is what `study.id` digests. */
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

/** At most this many features per study. */
export const MAX_FEATURES = 1000;

export interface Cost {
  epsilon: number;
  delta: number;
  /** Absent where no bound is known. */
  gdp?: number;
  zcdp?: number;
  /** How far they are from exact: see `Guarantee`. */
  totalVariation?: number;
}

/** What one step of a release costs by itself. */
export interface GuaranteePart extends Cost {
  /** What the step makes. */
  what: string;
}

/** What one release promises about one unit of privacy. Computed from the study, never typed in. */
export interface Guarantee {
  epsilon: number;
  /** 0 for pure mechanisms, whatever the study allows. */
  delta: number;
  /** The same noise as mu-Gaussian differential privacy; absent where no bound is known. */
  gdp?: number;
  /** The same noise as rho-zCDP; likewise. */
  zcdp?: number;
  /**
   * Beside `gdp` or `zcdp`, which hold up to so much: the release has the law of an output that keeps
   * them exactly, but for at most this probability (total variation distance). Above 0 where the
   * noise is bounded; 0 where they are exact. `delta` counts it, (1 + e^epsilon) times.
   */
  totalVariation?: number;
  neighbours: Neighbours;
  unit: Unit;
  /** `exact`: no floating-point number depended on private data before the noise was in. */
  numerics: Numerics;
  assumes: string[];
  /** Of a release made in several steps: what each costs. The whole is what is above. */
  parts?: GuaranteePart[];
  /**
   * Of a sum behind masks: how many honest releases in it have the noise of the promise. That there are
   * as many follows from who may collude, which the first of `assumes` says.
   */
  honest?: number;
  /** And what is left of it if all others give away what they hold; null: nothing. */
  floor?: Cost | null;
  /**
   * Of Gaussian masks calibrated as published: what one message promises to whoever sees no other. The
   * promise above is about all of them.
   */
  alone?: Cost;
}

/** The public law of the noise in one release. Scaled units are squared, sums over rows. */
export interface NoiseEnvelope {
  distribution: string;
  sampler: string;
  rng: string;
  /** Rows are rounded to multiples of 2^-bits of rowNorm. */
  bits: number;
  /** log2 of one released unit, in units of rowNorm squared. */
  gridLog2: number;
  /** The value of one released integer (of directions: of their values), in scaled units squared. */
  unit: number;
  /** What the noise adds to every diagonal entry on average; `assemble` takes it off. */
  mean: number;
  /** Standard deviations of the noise in second moments; 0 for directions. */
  sdDiagonal: number;
  sdOffDiagonal: number;
  /** Further public numbers of the mechanism; texts are whole numbers in decimal digits. */
  parameters: Record<string, number | string>;
}

/** How a release with adaptive clipping came to its radius. */
export interface ClipChoice {
  /** The radius is rowNorm times 1, 5/7, 1/2, 5/14, 1/4, 5/28 or 1/8: level 0 to 6. */
  level: number;
  /**
   * Noisy counts of the rows longer than rowNorm times 5/7, 1/2, .. 1/8, in units of 2^-16 rows;
   * under add-remove, last, of all rows.
   */
  counts: number[];
}

/** What leaves a participant's machine: the whole of it. */
export interface ReleaseJSON {
  format: typeof RELEASE_FORMAT;
  /** `private-moments/` and the version that made it. */
  library: string;
  /** The id of the study. */
  study: string;
  mechanism: Mechanism;
  content: Content;
  guarantee: Guarantee;
  /** How many rows (or participants) the sums count; null where that number is private. */
  rows: number | null;
  /** With adaptive clipping only. */
  clipping?: ClipChoice;
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

/** Shown to the participant, never released. */
export interface LocalCounts {
  /** Rows read. */
  rows: number;
  /** Rows that count with their own values. */
  used: number;
  /** Rows that count as the public centre, because of a missing cell. */
  centred: number;
  /** Rows left out because of a missing cell. */
  dropped: number;
  /** Rows longer than the clip radius, shortened to it. */
  shortened: number;
  columns: LocalColumnCounts[];
  /** Columns of the data that the study does not use; they are not read further than the split into cells. */
  ignored: string[];
  /** For each column without a readable cell, what to check: no row has it, so the result says nothing of it. */
  warnings: string[];
}

export interface LocalColumnCounts {
  name: string;
  /** The name in the data that was matched. */
  from: string;
  /** Cells that are missing, unreadable or not finite. */
  missing: number;
  /** Cells outside the public bounds, moved to the nearest bound. */
  outside: number;
}

export interface Progress {
  /** Data rows read so far. */
  rows: number;
  /** 0 to 1, or null where the size of the data is not known. */
  fraction: number | null;
}

/** Row-major: the entry in row i and column j is `values[i * columns.length + j]`. */
export interface Matrix {
  rows: string[];
  columns: string[];
  values: Float64Array;
}

/** A matrix of estimates. With a level, `low` and `high` are the ends of their intervals. */
export interface Estimates extends Matrix {
  low?: Float64Array;
  high?: Float64Array;
}
