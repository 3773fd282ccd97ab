import { PmAnalysis } from './analysis.js';
import { PmBudgetBar } from './budget-bar.js';
import { PmCopyButton } from './copy-button.js';
import { PmCorrelationFigure } from './correlation-figure.js';
import { PmDirectionMap } from './direction-map.js';
import { PmDirections } from './directions-view.js';
import { PmDropZone } from './drop-zone.js';
import { PmForecastFigure } from './forecast-figure.js';
import { PmGuessBar } from './guess-bar.js';
import { PmHandOut } from './hand-out.js';
import { PmHeatMap } from './heat-map.js';
import { PmLogSlider } from './log-slider.js';
import { PmLedger } from './ledger-view.js';
import { PmParticipate } from './participant.js';
import type { PmElements } from './public.js';
import { PmResult } from './result-view.js';
import { PmScreeFigure } from './scree-figure.js';
import { PmSeal } from './seal.js';
import { PmStudyDesigner } from './study-designer.js';
import { PmSyntheticRows } from './synthetic-rows.js';
import { PmWeightBars } from './weight-bars.js';
import { PmWhatLeaves } from './what-leaves.js';

/** What the types of the package say of an element is so. */
type Elements = { [Name in keyof PmElements]: new () => PmElements[Name] } & Record<
  string,
  CustomElementConstructor
>;

const elements = {
  'pm-analysis': PmAnalysis,
  'pm-budget-bar': PmBudgetBar,
  'pm-copy-button': PmCopyButton,
  'pm-correlation-figure': PmCorrelationFigure,
  'pm-direction-map': PmDirectionMap,
  'pm-directions': PmDirections,
  'pm-drop-zone': PmDropZone,
  'pm-forecast-figure': PmForecastFigure,
  'pm-guess-bar': PmGuessBar,
  'pm-hand-out': PmHandOut,
  'pm-heat-map': PmHeatMap,
  'pm-log-slider': PmLogSlider,
  'pm-ledger': PmLedger,
  'pm-participate': PmParticipate,
  'pm-result': PmResult,
  'pm-scree-figure': PmScreeFigure,
  'pm-seal': PmSeal,
  'pm-study-designer': PmStudyDesigner,
  'pm-synthetic-rows': PmSyntheticRows,
  'pm-weight-bars': PmWeightBars,
  'pm-what-leaves': PmWhatLeaves,
} satisfies Elements;

/** Registers every element of this package. A second call does nothing. */
export function defineElements(): void {
  for (const [name, element] of Object.entries(elements)) {
    if (customElements.get(name) === undefined) customElements.define(name, element);
  }
}
