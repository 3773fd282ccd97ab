import type { ReportRelease } from 'private-moments/report';
import type {
  Budget,
  CcaResult,
  Components,
  ErrorCode,
  FactorResult,
  GccaResult,
  Guarantee,
  LdaResult,
  Ledger,
  Moments,
  PcaResult,
  PlsCorrelationResult,
  PlsRegressionResult,
  Release,
  RotationMethod,
  Scores,
  SparseCcaResult,
  SparsePcaResult,
  Spent,
  Study,
  StudyDefinition,
} from 'private-moments';

/** A study object, its definition, its JSON text, a study link, the address or the text of a study file. */
export type StudySource = Study | StudyDefinition | string | Blob;

/** Detail of `pm-study`. */
export interface StudyDetail {
  study: Study;
}

/** Detail of `pm-study-refused`: why a study could not be opened. */
export interface StudyRefusedDetail {
  code: ErrorCode;
  /** For the reader of the page. */
  message: string;
}

/** Detail of `pm-release`: what would leave, and the name under which the page offers to save it. */
export interface ReleaseDetail {
  release: Release;
  name: string;
}

/** The result of a study whose releases are noisy second moments. */
export interface MomentsResult {
  moments: Moments;
  /** The two views compared; undefined when the study has none. */
  views: [string, string] | undefined;
  cca: CcaResult | undefined;
  /** For three views or more, the components that all share. */
  gcca: GccaResult | undefined;
  pca: PcaResult;
}

/** The result of a study whose releases are directions. */
export interface DirectionsResult {
  study: Study;
  components: Components;
}

/** Detail of `pm-result`. */
export interface ResultDetail {
  result: MomentsResult | DirectionsResult;
}

/** Detail of `pm-files`. */
export interface FilesDetail {
  files: File[];
}

/** Detail of `pm-remove`. */
export interface IndexDetail {
  index: number;
}

/** Detail of `pm-value`: NaN if the text typed is not a number. */
export interface ValueDetail {
  value: number;
}

/** A regression: the target's feature, the predictors (by default all other columns), and the penalty. */
export interface RegressionChoice {
  target: string;
  features?: string[];
  penalty: number;
}

/** The result of another method. */
export type MethodResult =
  | FactorResult
  | LdaResult
  | PlsCorrelationResult
  | PlsRegressionResult
  | SparseCcaResult
  | SparsePcaResult;

/** Another method, and what it asks for. */
export interface MethodChoice {
  name: MethodResult['analysis'];
  /** A category for `lda`, a feature for `plsRegression`; nothing is computed without it. */
  target?: string;
  /** The number of factors, 1 if it is absent. */
  factors?: number;
  /** The component whose loadings are shown. */
  component?: number;
}

/** What a reader chose to see of a result; places count from 0. */
export interface Choices {
  pair?: number;
  /** The component that all views share. */
  shared?: number;
  /** The principal component, among the rotated ones if there is a rotation. */
  component?: number;
  /** How principal components above the noise floor are rotated; undefined for not at all. */
  rotation?: RotationMethod | undefined;
  /** Undefined if no target is chosen. */
  regression?: RegressionChoice | undefined;
  /** Undefined if no other method is chosen. */
  method?: MethodChoice | undefined;
}

/** Detail of `pm-chosen`: the place, counted from 0. */
export interface ChosenDetail {
  place: number;
}

/** Detail of `pm-choices`. */
export interface ChoicesDetail {
  choices: Choices;
}

/** What a reader takes out of the columns before they are analysed. */
export interface AdjustmentChoice {
  /** Columns of the study, covariates. */
  columns: string[];
  /** Differences between the means of sites. */
  sites: boolean;
}

/** Detail of `pm-views`. */
export interface ViewsDetail {
  views: [string, string];
}

/** Detail of `pm-adjustment`. */
export interface AdjustmentDetail {
  adjustment: AdjustmentChoice;
}

export interface PmParticipateElement extends HTMLElement {
  study: StudySource | undefined;
  /** Address of a folder with study.json and site-01.csv to site-10.csv, ending in a slash. */
  sample: string;
  /** Address of a folder with the pages of the guide, ending in a slash, for links to proofs. */
  guide: string;
  /** Before a study is open, shows only where to drop it, for pages that have a heading of their own. */
  compact: boolean;
  /** The ledger that records every release; by default this browser's. */
  ledger: Ledger;
  /** The budget of each data set until another is set in the ledger; none if they are absent. */
  budgetEpsilon: number | undefined;
  budgetDelta: number | undefined;
}

export interface PmStudyDesignerElement extends HTMLElement {
  /** The study to start from. If a saved draft exists, the study is offered and does not replace it. */
  study: StudySource | undefined;
  /** The address that opens study links; by default this page's own. */
  takePart: string;
  /** The addresses of the pages for the analyst and the helper, for the words on sessions by hand. */
  analyse: string;
  helpPage: string;
  /** The name under which the browser saves the draft; without a name, nothing is saved. */
  keep: string;
  /** As for `pm-participate`. */
  sample: string;
  /** As for `pm-participate`, for links to advice on the choices. */
  guide: string;
}

export interface PmAnalysisElement extends HTMLElement {
  study: StudySource | undefined;
  /** As for `pm-participate`. */
  sample: string;
  /** As for `pm-participate`, for links that say how results are computed. */
  guide: string;
  /** The link of a helper's public keys, for a session of a split study. */
  helper: string;
  /** The addresses that open session links, for participants and for the helper. */
  takePart: string;
  helpPage: string;
  /** Whether this browser keeps the releases in use, and what is shown of them, for the next time the study is opened. */
  keep: boolean;
  /** Makes the releases of all sites in the `sample` folder, and analyses them. */
  trySample: () => Promise<void>;
}

export interface PmSessionHelperElement extends HTMLElement {
  /** A session link. */
  study: string | undefined;
  /** The address that opens the link of public keys. */
  analyse: string;
}

export interface PmWhatLeavesElement extends HTMLElement {
  study: Study | undefined;
  release: Release | undefined;
  /** The name to save the release under. */
  name: string;
  /** As for `pm-participate`. */
  guide: string;
  /** Whether each person has one row; undefined if nobody said so. */
  onePerson: boolean | undefined;
}

export interface PmHandOutElement extends HTMLElement {
  study: Study | undefined;
  /** The guarantee of one release, for the consent text. */
  guarantee: Guarantee | undefined;
  takePart: string;
  analyse: string;
}

export interface PmResultElement extends HTMLElement {
  result: MomentsResult | undefined;
  /** Ids of the releases that the result comes from. */
  releases: readonly (string | ReportRelease)[];
  /** What is shown of the result; those that it does not have fall back to the first. */
  choices: Choices;
  /** What was taken out of the columns before the analysis. */
  adjustment: AdjustmentChoice;
  /** As for `pm-participate`. */
  guide: string;
  /** Whether the sections are named in the margin, 232 px that the page leaves free left of it. */
  rail: boolean;
}

export interface PmDirectionsElement extends HTMLElement {
  result: DirectionsResult | undefined;
  releases: readonly (string | ReportRelease)[];
  /** As for `pm-participate`. */
  guide: string;
}

export interface PmSyntheticRowsElement extends HTMLElement {
  moments: Moments | undefined;
}

export interface PmBiplotElement extends HTMLElement {
  /** The result of the package's `project`. */
  scores: Scores | undefined;
  /** The correlations of each column with the two scores; `series` picks the colour, 1 to 6. */
  arrows: readonly { name: string; x: number; y: number; series: number }[];
  /** The columns of `scores` on the horizontal and the vertical axis. */
  x: string;
  y: string;
}

export interface PmRowScoresElement extends HTMLElement {
  result: MomentsResult | undefined;
}

export interface PmLedgerElement extends HTMLElement {
  ledger: Ledger | undefined;
}

export interface PmBudgetBarElement extends HTMLElement {
  spent: Spent | undefined;
  budget: Budget | null;
  exhausted: boolean;
}

export interface PmDropZoneElement extends HTMLElement {
  heading: string;
  help: string;
  action: string;
  accept: string;
  multiple: boolean;
}

export interface PmLogSliderElement extends HTMLElement {
  label: string;
  /** Said by screen readers before the value. */
  name: string;
  min: number;
  max: number;
  value: number;
  ticks: readonly { value: number; label?: string; note?: string }[];
  error: string | undefined;
  /** Only whole numbers. */
  whole: boolean;
  /** The field looks like text until it is used. */
  quiet: boolean;
  /** How a value is written; by default as JavaScript does. */
  show: (value: number) => string;
}

export interface PmCopyButtonElement extends HTMLElement {
  text: string;
  label: string;
  small: boolean;
  primary: boolean;
}

export interface PmGuessBarElement extends HTMLElement {
  /** How often the best guess is right, in 100. */
  guess: number;
  /** What the guess is made with; by default "this file". */
  what: string;
}

export interface PmSealElement extends HTMLElement {
  /** The address of a page that offers a copy of which every request is blocked. */
  savePage: string;
}

/** The elements by name: those that make up a page, and those that are useful by themselves. */
export interface PmElements {
  'pm-participate': PmParticipateElement;
  'pm-study-designer': PmStudyDesignerElement;
  'pm-analysis': PmAnalysisElement;
  'pm-what-leaves': PmWhatLeavesElement;
  'pm-hand-out': PmHandOutElement;
  'pm-result': PmResultElement;
  'pm-directions': PmDirectionsElement;
  'pm-synthetic-rows': PmSyntheticRowsElement;
  'pm-biplot': PmBiplotElement;
  'pm-row-scores': PmRowScoresElement;
  'pm-ledger': PmLedgerElement;
  'pm-budget-bar': PmBudgetBarElement;
  'pm-drop-zone': PmDropZoneElement;
  'pm-log-slider': PmLogSliderElement;
  'pm-copy-button': PmCopyButtonElement;
  'pm-guess-bar': PmGuessBarElement;
  'pm-seal': PmSealElement;
  'pm-session-helper': PmSessionHelperElement;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an interface with members would add names that are not elements
  interface HTMLElementTagNameMap extends PmElements {}

  interface HTMLElementEventMap {
    'pm-study': CustomEvent<StudyDetail>;
    'pm-study-refused': CustomEvent<StudyRefusedDetail>;
    'pm-release': CustomEvent<ReleaseDetail>;
    'pm-result': CustomEvent<ResultDetail>;
    'pm-files': CustomEvent<FilesDetail>;
    'pm-value': CustomEvent<ValueDetail>;
    'pm-views': CustomEvent<ViewsDetail>;
    'pm-adjustment': CustomEvent<AdjustmentDetail>;
    'pm-chosen': CustomEvent<ChosenDetail>;
    'pm-choices': CustomEvent<ChoicesDetail>;
    'pm-ledger-changed': CustomEvent;
  }
}
