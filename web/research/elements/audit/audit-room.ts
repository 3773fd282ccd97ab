import { PmLogSlider } from 'private-moments/internal/elements';
import { PmAudit } from './audit.js';
import { PmAuditBar } from './audit-bar.js';
import { PmAuditFigure } from './audit-figure.js';

export const audit = {
  'pm-audit': PmAudit,
  'pm-audit-bar': PmAuditBar,
  'pm-audit-figure': PmAuditFigure,
  'pm-log-slider': PmLogSlider,
};
