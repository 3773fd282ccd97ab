export { PmAnalysis } from './analysis.js';
export { PmBudgetBar } from './budget-bar.js';
export { PmCopyButton } from './copy-button.js';
export { PmCorrelationFigure } from './correlation-figure.js';
export { defineElements } from './define.js';
export { PmDirectionMap } from './direction-map.js';
export { PmDirections } from './directions-view.js';
export { PmDropZone } from './drop-zone.js';
export { PmForecastFigure } from './forecast-figure.js';
export { PmGuessBar } from './guess-bar.js';
export { PmHandOut } from './hand-out.js';
export { PmHeatMap } from './heat-map.js';
export { PmLogSlider, type Tick } from './log-slider.js';
export { PmLedger } from './ledger-view.js';
export { PmParticipate } from './participant.js';
export { PmResult } from './result-view.js';
export { PmScreeFigure } from './scree-figure.js';
export { PmSeal } from './seal.js';
export { PmStudyDesigner } from './study-designer.js';
export {
  hasStudy,
  type FilesDetail,
  type ReleaseDetail,
  type ResultDetail,
  type StudyDetail,
  type StudySource,
  type ValueDetail,
  type ViewsDetail,
} from './public.js';
export { publicTokens } from './tokens.js';
export { PmSyntheticRows } from './synthetic-rows.js';
export { PmWeightBars } from './weight-bars.js';
export { PmWhatLeaves } from './what-leaves.js';
