import { PmConsortiumFigure } from '../consortium-figure.js';
import { PmConsortium } from '../consortium.js';
import { PmExplorer } from '../explorer.js';
import { PmLogSlider } from '../log-slider.js';

/** What is seen first; `pm-explorer` loads what its other sections are made of. */
export const explore = {
  'pm-explorer': PmExplorer,
  'pm-consortium': PmConsortium,
  'pm-consortium-figure': PmConsortiumFigure,
  'pm-log-slider': PmLogSlider,
};
