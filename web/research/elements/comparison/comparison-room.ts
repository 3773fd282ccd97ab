import { PmLogSlider } from 'private-moments/internal/elements';
import { PmComparisonFigure } from './comparison-figure.js';
import { PmMechanismComparison } from './mechanism-comparison.js';

export const comparison = {
  'pm-mechanism-comparison': PmMechanismComparison,
  'pm-comparison-figure': PmComparisonFigure,
  'pm-log-slider': PmLogSlider,
};
