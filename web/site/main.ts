import 'virtual:tokens.css';
import './site.css';
import {
  defineElements,
  hasStudy,
  type PmAnalysis,
  type PmParticipant,
} from '../elements/src/index.js';

/** A study link opens in whichever room it points to, and follows the reader to the other. */
function openLinkedStudy(): void {
  if (!hasStudy(location.hash)) return;
  const rooms = document.querySelectorAll<PmParticipant | PmAnalysis>(
    'pm-participant, pm-analysis',
  );
  for (const room of rooms) room.study = location.href;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.rooms a')) {
    link.hash = location.hash;
  }
}

defineElements();
openLinkedStudy();
window.addEventListener('hashchange', openLinkedStudy);

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Without it the page still works; it only needs the network again after a reload.
  navigator.serviceWorker.register('./sw.js').catch(() => undefined);
}
