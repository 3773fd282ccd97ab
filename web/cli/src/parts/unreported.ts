import { UsageError } from 'private-moments/internal';
import { ANALYSIS_HELP } from './analysis.js';

/** The help of analyses that reports do not have. */
export const UNREPORTED_HELP = ANALYSIS_HELP.replace(/^ *--report FILE.*\n/, '');

/** For analyses that reports do not have. @throws UsageError if one was asked for */
export function refuseReport(report: string | undefined): void {
  if (report === undefined) return;
  throw new UsageError('--report: reports do not have this analysis; save its --json or --csv');
}
