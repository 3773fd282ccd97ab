import { PmLogSlider } from 'private-moments/internal/elements';
import { PmConsortiumFigure } from './consortium/consortium-figure.js';
import { PmConsortium } from './consortium/consortium.js';
import { PmExplorer } from './explorer.js';

/** The elements of the first section; `pm-explorer` loads those of the others. */
export const explore = {
  'pm-explorer': PmExplorer,
  'pm-consortium': PmConsortium,
  'pm-consortium-figure': PmConsortiumFigure,
  'pm-log-slider': PmLogSlider,
};
