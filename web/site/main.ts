import 'virtual:tokens.css';
import './site.css';
import {
  defineElements,
  hasStudy,
  type PmAnalysis,
  type PmParticipate,
  type PmStudyDesigner,
  type StudyDetail,
} from '../elements/src/index.js';

/** A study link opens in whichever room it points to. */
function openLinkedStudy(): void {
  if (!hasStudy(location.hash)) return;
  const rooms = document.querySelectorAll<PmParticipate | PmAnalysis | PmStudyDesigner>(
    'pm-participate, pm-analysis, pm-study-designer',
  );
  for (const room of rooms) room.study = location.href;
}

/**
 * The open study stays in the address, where no server sees it, and goes along to the other rooms. One
 * being designed has its draft instead, which no address may stand in the way of.
 */
function keepStudy({ target, detail: { study } }: CustomEvent<StudyDetail>): void {
  const link = study.toLink(location.href);
  const isDraft = target instanceof Element && target.matches('pm-study-designer');
  if (!isDraft) history.replaceState(null, '', link);
  for (const room of document.querySelectorAll<HTMLAnchorElement>('.rooms a, .more a')) {
    room.hash = new URL(link).hash;
  }
}

document.addEventListener('pm-study', (event) => {
  keepStudy(event as CustomEvent<StudyDetail>);
});
defineElements();
openLinkedStudy();
window.addEventListener('hashchange', openLinkedStudy);

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Without it the page still works; it only needs the network again after a reload.
  navigator.serviceWorker.register('./sw.js').catch(() => undefined);
  void navigator.serviceWorker.ready.then(() => {
    document.querySelector('#offline')?.removeAttribute('hidden');
  });
}
