import { PmAnalysis } from './analysis.js';
import { PmBiplot } from '../figures/biplot.js';
import { PmCopyButton } from '../controls/copy-button.js';
import { PmCorrelationFigure } from '../figures/correlation-figure.js';
import { PmDirectionMap } from '../figures/direction-map.js';
import { PmDirections } from './directions-view.js';
import { PmDropZone } from '../controls/drop-zone.js';
import { PmFigure } from '../figures/figure-frame.js';
import { PmResultCode } from './result-code.js';
import { PmReleaseTable } from './release-table.js';
import { PmResult } from './result-view.js';
import { PmRowScores } from './row-scores.js';
import { PmScoreWeights } from './score-weights.js';
import { PmScreeFigure } from '../figures/scree-figure.js';
import { PmSessionCollector } from './session-collector.js';
import { PmSyntheticRows } from './synthetic-rows.js';
import { PmWeightBars } from '../figures/weight-bars.js';

export const analyse = {
  'pm-analysis': PmAnalysis,
  'pm-biplot': PmBiplot,
  'pm-copy-button': PmCopyButton,
  'pm-correlation-figure': PmCorrelationFigure,
  'pm-direction-map': PmDirectionMap,
  'pm-directions': PmDirections,
  'pm-drop-zone': PmDropZone,
  'pm-figure': PmFigure,
  'pm-release-table': PmReleaseTable,
  'pm-result': PmResult,
  'pm-result-code': PmResultCode,
  'pm-row-scores': PmRowScores,
  'pm-score-weights': PmScoreWeights,
  'pm-scree-figure': PmScreeFigure,
  'pm-session-collector': PmSessionCollector,
  'pm-synthetic-rows': PmSyntheticRows,
  'pm-weight-bars': PmWeightBars,
};
