// Made by tools/generate.mjs from the registry in core/mechanisms. Do not edit.

/** Mechanisms that release noisy second moments, which `assemble` combines. */
export type MomentsMechanismName =
  'gaussian' | 'two-sided-wishart' | 'laplace' | 'frobenius' | 'wishart';

/** Mechanisms that release directions, which `assembleComponents` combines. */
export type ComponentsMechanismName = 'eigenvector-sampling' | 'ppca' | 'power-method';

export type MechanismName = MomentsMechanismName | ComponentsMechanismName;

/** `gaussian`: how the variance is distributed over the upper triangle. */
export type Shape = 'rotation-invariant' | 'upper-triangle';

/** `eigenvector-sampling`: how the budget is spent (docs/mechanisms/eigenvector-sampling.md). */
export type EigenMethod = 'rayleigh' | 'uniform' | 'adaptive';

/**
 * A mechanism with every default filled in. For mechanisms that release moments, `components` is the
 * default number of components in `pca` and `cca`; for the others it is the number of released
 * directions.
 */
export type Mechanism =
  | { name: 'gaussian'; shape: Shape; components?: number }
  | { name: 'two-sided-wishart'; components?: number }
  | { name: 'laplace'; components?: number }
  | { name: 'frobenius'; components?: number }
  | { name: 'wishart'; components?: number }
  | { name: 'eigenvector-sampling'; method: EigenMethod; components: number }
  | { name: 'ppca'; components: number }
  | { name: 'power-method'; rounds: number; components: number };

/** Options that a study may set besides the name of its mechanism. */
export interface MechanismOptions {
  /** 1 to the number of features. Required: `ppca`, `power-method`. */
  components?: number;
  /**
   * `gaussian` only: how the variance is distributed over the upper triangle. Default
   * `rotation-invariant`.
   */
  shape?: Shape;
  /**
   * `eigenvector-sampling` only: how the budget is spent
   * (docs/mechanisms/eigenvector-sampling.md). Default `rayleigh`.
   */
  method?: EigenMethod;
  /** `power-method` only: number of rounds of the iteration. From 1 to 100. Default 3. */
  rounds?: number;
}

/** One of a few choices, the default first, or a whole number. */
export type MechanismOption =
  | { name: string; choices: readonly string[] }
  | { name: string; least: number; most: number; fallback: number };

/** The properties of a mechanism on which studies, releases and analyses depend. */
export interface MechanismFacts {
  content: 'moments' | 'components';
  /** Delta is 0, whatever is requested; otherwise it must be above 0. */
  pure: boolean;
  numerics: 'exact';
  /** Releases of several participants sum to a release of their sum. */
  additive: boolean;
  /** Releases are positive semidefinite. */
  psd: boolean;
  neighbours: readonly ('replace-one' | 'add-remove')[];
  units: readonly ('row' | 'participant')[];
  /** The law of the noise in second moments, and the bound on its tail; null for directions. */
  noise: { distribution: string; tail: 'subgaussian' | 'log-concave' } | null;
  /** Null for second moments. */
  directions: {
    /** A study must state their number; otherwise the default is the number of features. */
    needsCount: boolean;
    /** Their number must be below the number of features. */
    fewerThanFeatures: boolean;
    /** Each comes with a value. */
    withValues: boolean;
    /** Largest first; otherwise a basis of their span in no order. */
    ordered: boolean;
  } | null;
  options: readonly MechanismOption[];
  /** Modes in which sites can share the noise. */
  federations: readonly ('split' | 'ring' | 'correlated')[];
  /** Supports adaptive clipping, for unit `row`. */
  adaptiveClipping: boolean;
  /** Supports private centring, for unit `row`. */
  centring: boolean;
}

/** In the order in which they are listed; the first is the default for delta above 0. */
export const MECHANISM_FACTS: Readonly<Record<MechanismName, MechanismFacts>> = {
  gaussian: {
    content: 'moments',
    pure: false,
    numerics: 'exact',
    additive: true,
    psd: false,
    neighbours: ['replace-one', 'add-remove'],
    units: ['row', 'participant'],
    noise: { distribution: 'discrete-gaussian', tail: 'subgaussian' },
    directions: null,
    options: [{ name: 'shape', choices: ['rotation-invariant', 'upper-triangle'] }],
    federations: ['split', 'ring', 'correlated'],
    adaptiveClipping: true,
    centring: true,
  },
  'two-sided-wishart': {
    content: 'moments',
    pure: true,
    numerics: 'exact',
    additive: true,
    psd: false,
    neighbours: ['replace-one', 'add-remove'],
    units: ['row', 'participant'],
    noise: { distribution: 'two-sided-wishart', tail: 'log-concave' },
    directions: null,
    options: [],
    federations: ['split', 'ring'],
    adaptiveClipping: false,
    centring: true,
  },
  laplace: {
    content: 'moments',
    pure: true,
    numerics: 'exact',
    additive: true,
    psd: false,
    neighbours: ['replace-one', 'add-remove'],
    units: ['row', 'participant'],
    noise: { distribution: 'discrete-laplace', tail: 'log-concave' },
    directions: null,
    options: [],
    federations: [],
    adaptiveClipping: false,
    centring: false,
  },
  frobenius: {
    content: 'moments',
    pure: true,
    numerics: 'exact',
    additive: true,
    psd: false,
    neighbours: ['replace-one', 'add-remove'],
    units: ['row', 'participant'],
    noise: { distribution: 'frobenius-gamma', tail: 'log-concave' },
    directions: null,
    options: [],
    federations: [],
    adaptiveClipping: false,
    centring: false,
  },
  wishart: {
    content: 'moments',
    pure: false,
    numerics: 'exact',
    additive: true,
    psd: true,
    neighbours: ['replace-one', 'add-remove'],
    units: ['row'],
    noise: { distribution: 'wishart', tail: 'log-concave' },
    directions: null,
    options: [],
    federations: [],
    adaptiveClipping: false,
    centring: false,
  },
  'eigenvector-sampling': {
    content: 'components',
    pure: true,
    numerics: 'exact',
    additive: false,
    psd: false,
    neighbours: ['replace-one', 'add-remove'],
    units: ['row', 'participant'],
    noise: null,
    directions: { needsCount: false, fewerThanFeatures: false, withValues: true, ordered: true },
    options: [{ name: 'method', choices: ['rayleigh', 'uniform', 'adaptive'] }],
    federations: [],
    adaptiveClipping: false,
    centring: false,
  },
  ppca: {
    content: 'components',
    pure: true,
    numerics: 'exact',
    additive: false,
    psd: false,
    neighbours: ['replace-one', 'add-remove'],
    units: ['row', 'participant'],
    noise: null,
    directions: { needsCount: true, fewerThanFeatures: true, withValues: false, ordered: false },
    options: [],
    federations: [],
    adaptiveClipping: false,
    centring: false,
  },
  'power-method': {
    content: 'components',
    pure: false,
    numerics: 'exact',
    additive: false,
    psd: false,
    neighbours: ['replace-one', 'add-remove'],
    units: ['row', 'participant'],
    noise: null,
    directions: { needsCount: true, fewerThanFeatures: false, withValues: true, ordered: true },
    options: [{ name: 'rounds', least: 1, most: 100, fallback: 3 }],
    federations: [],
    adaptiveClipping: false,
    centring: false,
  },
};

/** Texts for lists and tables. Formulas are spelled out. */
export interface MechanismWords {
  title: string;
  summary: string;
  /**
   * Growth of the error. Moments: of the whole matrix, in Frobenius norm. Components: of the sine of
   * the angle to the true direction, where `gap` is the excess of its sum of squares over that of
   * the next direction.
   */
  errorOrder: string;
  /** The publication, by authors and year. */
  source: string;
}

export const MECHANISM_WORDS: Readonly<Record<MechanismName, MechanismWords>> = {
  gaussian: {
    title: 'Gaussian',
    summary: 'Adds Gaussian noise to every second moment. The default for delta above 0.',
    errorOrder: 'd sqrt(log(1/delta)) / epsilon',
    source: 'Dwork, Talwar, Thakurta and Zhang 2014',
  },
  'two-sided-wishart': {
    title: 'Two-sided Wishart',
    summary: 'Adds the difference of two Wishart matrices. The default for delta 0.',
    errorOrder: 'd^(3/2) / epsilon',
    source: 'this library',
  },
  laplace: {
    title: 'Laplace',
    summary: 'Adds Laplace noise to every second moment. For few features and delta 0.',
    errorOrder: 'd^2 / epsilon',
    source: 'Dwork, McSherry, Nissim and Smith 2006',
  },
  frobenius: {
    title: 'Frobenius',
    summary: 'Adds noise of random length in a random direction. Rarely the best choice.',
    errorOrder: 'd^2 / epsilon',
    source: 'Hardt and Talwar 2010',
  },
  wishart: {
    title: 'Wishart',
    summary:
      'Adds a Wishart matrix. The release is positive definite, with more noise than gaussian (about twice at epsilon 1).',
    errorOrder: 'd sqrt(d + log(1/delta) / epsilon^2)',
    source: 'Sheffet 2019',
  },
  'eigenvector-sampling': {
    title: 'Eigenvector sampling',
    summary:
      'Draws principal directions one by one, with their variances. For few rows and delta 0.',
    errorOrder: 'sqrt(d components / (epsilon gap))',
    source: 'Amin, Dick, Kulesza, Muñoz Medina and Vassilvitskii 2019',
  },
  ppca: {
    title: 'PPCA',
    summary: 'Draws one principal subspace, without variances.',
    errorOrder: 'sqrt(d / (epsilon gap))',
    source: 'Chaudhuri, Sarwate and Sinha 2013',
  },
  'power-method': {
    title: 'Power method',
    summary: 'Finds principal directions by power iteration, with Gaussian noise in each round.',
    errorOrder: 'sqrt(d rounds log(1/delta)) / (epsilon gap)',
    source: 'Hardt and Price 2014',
  },
};

/** Where the randomness enters, in one sentence. */
export const MECHANISM_LAWS: Readonly<Record<MechanismName, string>> = {
  gaussian: 'The noise is discrete Gaussian.',
  'two-sided-wishart': 'The noise is the difference of two random Wishart matrices.',
  laplace: 'The noise is discrete Laplace.',
  frobenius: 'The noise is a matrix of random size in a uniformly random direction.',
  wishart: 'The noise is a random Wishart matrix.',
  'eigenvector-sampling':
    'Each direction is drawn at random: the more the rows spread along it, the likelier it is.',
  ppca: 'The directions are drawn together at random: the more the rows spread along them, the likelier they are.',
  'power-method': 'Each round of the iteration that finds the directions adds Gaussian noise.',
};
