import type { PmAnalysisElement } from '../elements/src/index.js';
import { PmAnalysis } from '../elements/src/analyse/analysis.js';
import { start } from './main.js';

await start({ 'pm-analysis': PmAnalysis });
// The landing page's *See it work*. A reload finds the releases again and does not make others.
if (location.hash === '#sample') {
  history.replaceState(null, '', location.pathname);
  void document.querySelector<PmAnalysisElement>('pm-analysis')?.trySample();
}
