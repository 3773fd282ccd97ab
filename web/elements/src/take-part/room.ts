import { PmBudgetBar } from '../figures/budget-bar.js';
import { PmCopyButton } from '../controls/copy-button.js';
import { PmDirectionMap } from '../figures/direction-map.js';
import { PmDropZone } from '../controls/drop-zone.js';
import { PmGuessBar } from '../figures/guess-bar.js';
import { PmHeatMap } from '../figures/heat-map.js';
import { PmLedger } from '../session/ledger-view.js';
import { PmParticipate } from './participant.js';
import { PmSessionLeaves } from './session-leaves.js';
import { PmWhatLeaves } from './what-leaves.js';

export const takePart = {
  'pm-participate': PmParticipate,
  'pm-budget-bar': PmBudgetBar,
  'pm-copy-button': PmCopyButton,
  'pm-direction-map': PmDirectionMap,
  'pm-drop-zone': PmDropZone,
  'pm-guess-bar': PmGuessBar,
  'pm-heat-map': PmHeatMap,
  'pm-ledger': PmLedger,
  'pm-session-leaves': PmSessionLeaves,
  'pm-what-leaves': PmWhatLeaves,
};
