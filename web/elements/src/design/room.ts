import { PmCopyButton } from '../controls/copy-button.js';
import { PmDropZone } from '../controls/drop-zone.js';
import { PmForecastFigure } from '../figures/forecast-figure.js';
import { PmHandOut } from './hand-out.js';
import { PmLogSlider } from '../controls/log-slider.js';
import { PmStudyDesigner } from './study-designer.js';

export const design = {
  'pm-study-designer': PmStudyDesigner,
  'pm-copy-button': PmCopyButton,
  'pm-drop-zone': PmDropZone,
  'pm-forecast-figure': PmForecastFigure,
  'pm-hand-out': PmHandOut,
  'pm-log-slider': PmLogSlider,
};
