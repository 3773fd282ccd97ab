import type { PmElements } from './contract/elements.js';
import { register, type ElementClasses } from './base/register.js';
import { PmParticipate } from './take-part/participant.js';
import { PmStudyDesigner } from './design/study-designer.js';
import { PmAnalysis } from './analyse/analysis.js';
import { PmWhatLeaves } from './take-part/what-leaves.js';
import { PmHandOut } from './design/hand-out.js';
import { PmResult } from './analyse/result-view.js';
import { PmDirections } from './analyse/directions-view.js';
import { PmSyntheticRows } from './analyse/synthetic-rows.js';
import { PmBiplot } from './figures/biplot.js';
import { PmRowScores } from './analyse/row-scores.js';
import { PmLedger } from './session/ledger-view.js';
import { PmBudgetBar } from './figures/budget-bar.js';
import { PmDropZone } from './controls/drop-zone.js';
import { PmLogSlider } from './controls/log-slider.js';
import { PmCopyButton } from './controls/copy-button.js';
import { PmGuessBar } from './figures/guess-bar.js';
import { PmSeal } from './controls/seal.js';
import { PmSessionHelper } from './help/session-helper.js';

/** Holds the classes to the public types of their elements. */
type Elements = { [Name in keyof PmElements]: new () => PmElements[Name] } & ElementClasses;

const elements = {
  'pm-participate': PmParticipate,
  'pm-study-designer': PmStudyDesigner,
  'pm-analysis': PmAnalysis,
  'pm-what-leaves': PmWhatLeaves,
  'pm-hand-out': PmHandOut,
  'pm-result': PmResult,
  'pm-directions': PmDirections,
  'pm-synthetic-rows': PmSyntheticRows,
  'pm-biplot': PmBiplot,
  'pm-row-scores': PmRowScores,
  'pm-ledger': PmLedger,
  'pm-budget-bar': PmBudgetBar,
  'pm-drop-zone': PmDropZone,
  'pm-log-slider': PmLogSlider,
  'pm-copy-button': PmCopyButton,
  'pm-guess-bar': PmGuessBar,
  'pm-seal': PmSeal,
  'pm-session-helper': PmSessionHelper,
} satisfies Elements;

/** Registers every element of this package. A second call does nothing. */
export function defineElements(): void {
  register(elements);
}
