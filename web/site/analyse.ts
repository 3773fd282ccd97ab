import type { PmAnalysisElement } from '../elements/src/index.js';
import { analyse } from '../elements/src/analyse/room.js';
import { start } from './main.js';

await start(analyse);
// The landing page's *See it work*. A reload finds the releases again and does not make others.
if (location.hash === '#sample') {
  history.replaceState(null, '', location.pathname);
  void document.querySelector<PmAnalysisElement>('pm-analysis')?.trySample();
}
