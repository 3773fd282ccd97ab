import { PmComparisonFigure } from './comparison-figure.js';
import { PmLogSlider } from '../../controls/log-slider.js';
import { PmMechanismComparison } from './mechanism-comparison.js';

export const comparison = {
  'pm-mechanism-comparison': PmMechanismComparison,
  'pm-comparison-figure': PmComparisonFigure,
  'pm-log-slider': PmLogSlider,
};
