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

export type Unit = 'row' | 'participant';
export type Neighbours = 'replace-one' | 'add-remove';

/**
 * What becomes of a row with a missing, unreadable or non-finite cell: it counts as the public
 * centre, it is left out, or the whole data set is refused. Each is a function of that row alone.
 */
export type MissingRule = 'centre' | 'drop' | 'error';

export type Shape = 'rotation-invariant' | 'upper-triangle';

export interface Mechanism {
  name: 'gaussian';
  shape: Shape;
}

export interface Federation {
  mode: 'independent';
  /** How many participants are expected. */
  sites?: number;
  /** How many of them are assumed not to collude. */
  honest?: number;
}

export interface Privacy {
  /** Finite and positive. There is no default. */
  epsilon: number;
  /** Strictly between 0 and 1. */
  delta: number;
}

/** What `defineStudy` takes. Everything that has a default may be left out. */
export interface StudyDefinition {
  format?: typeof STUDY_FORMAT;
  title: string;
  description?: string;
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
  privacy: Privacy;
  /** Default `{ name: 'gaussian', shape: 'rotation-invariant' }`. */
  mechanism?: { name: string; shape?: Shape };
  /** Default `{ mode: 'independent' }`. */
  federation?: { mode: string; sites?: number; honest?: number };
}

/** A study with every default written out; its canonical JSON is what `study.id` digests. */
export interface StudyJSON {
  format: typeof STUDY_FORMAT;
  title: string;
  description?: string;
  columns: Column[];
  views?: Record<string, string[]>;
  unit: Unit;
  neighbours: Neighbours;
  missing: MissingRule;
  rowNorm: number;
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

/** What one release promises about one unit of privacy. Computed from the study, never typed in. */
export interface Guarantee {
  epsilon: number;
  delta: number;
  /** The same noise as mu-Gaussian differential privacy. */
  gdp: number;
  /** The same noise as rho-zCDP. */
  zcdp: number;
  neighbours: Neighbours;
  unit: Unit;
  /** `exact`: no floating-point number depended on private data before the noise was in. */
  numerics: 'exact';
  assumes: string[];
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
  /** The value of one released integer, in scaled units squared. */
  unit: number;
  sdDiagonal: number;
  sdOffDiagonal: number;
  wDiagonal: string;
  wOffDiagonal: string;
  sensitivitySquared: string;
  rho: string;
  samplerDeltaLog2: number;
}

/** What leaves a participant's machine: the whole of it. */
export interface ReleaseJSON {
  format: typeof RELEASE_FORMAT;
  /** `private-moments/` and the version that made it. */
  library: string;
  /** The id of the study. */
  study: string;
  mechanism: Mechanism;
  guarantee: Guarantee;
  /** How many rows (or participants) the sums count; null where that number is private. */
  rows: number | null;
  noise: NoiseEnvelope;
  numerics: 'exact';
  /** The noisy second moments: integers, upper triangle, row by row, constant coordinate first. */
  values: number[];
  /** SHA-256 of the canonical JSON of everything else. */
  id: string;
}

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
  /** Rows longer than rowNorm, shortened to it. */
  shortened: number;
  columns: LocalColumnCounts[];
  /** Columns of the data that the study does not use; they are not read further than the split into cells. */
  ignored: string[];
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
