import { PmCopyButton, PmLogSlider } from 'private-moments/internal/elements';
import { PmFindMe } from './find-me.js';
import { PmFindMeFigure } from './find-me-figure.js';
import { PmScoreBar } from './score-bar.js';

export const findMe = {
  'pm-find-me': PmFindMe,
  'pm-find-me-figure': PmFindMeFigure,
  'pm-score-bar': PmScoreBar,
  'pm-copy-button': PmCopyButton,
  'pm-log-slider': PmLogSlider,
};
