import 'virtual:tokens.css';
import './site.css';
import { hasPart } from '../elements/src/address.js';
import {
  hasStudy,
  type PmAnalysisElement,
  type PmParticipateElement,
  type PmSessionHelperElement,
  type PmStudyDesignerElement,
  type StudyDetail,
} from '../elements/src/public.js';
import { register, type Named } from '../elements/src/rooms/register.js';
import { PmSeal } from '../elements/src/seal.js';

/** What every page does, with the elements of its own room: no page loads those of another. */
export function open(room: Named): void {
  document.addEventListener('pm-study', (event) => {
    keepStudy(event as CustomEvent<StudyDetail>);
  });
  // A room begins at its first step again, and a place further down would show its end, which then moves.
  if (Object.keys(room).length > 0) history.scrollRestoration = 'manual';
  register({ 'pm-seal': PmSeal, ...room });
  openLink();
  window.addEventListener('hashchange', openLink);
  if (import.meta.env.PROD) keepOffline();
}

/** A study link opens in whichever room it points to, and so does a session's, and one of keys. */
function openLink(): void {
  if (hasPart(location.hash, 'keys')) {
    for (const room of document.querySelectorAll<PmAnalysisElement>('pm-analysis')) {
      room.helper = location.href;
    }
  }
  if (!hasStudy(location.hash)) return;
  const rooms = document.querySelectorAll<
    PmParticipateElement | PmAnalysisElement | PmStudyDesignerElement | PmSessionHelperElement
  >('pm-participate, pm-analysis, pm-study-designer, pm-session-helper');
  for (const room of rooms) room.study = location.href;
}

/**
 * The open study stays in the address, where no server sees it, and goes along to the other rooms. One
 * being designed has its draft instead, which no address may stand in the way of. A session of the study
 * stays where it stands behind it.
 */
function keepStudy({ target, detail: { study } }: CustomEvent<StudyDetail>): void {
  const link = isAt(study) ? location.href : study.toLink(location.href);
  const isDraft = target instanceof Element && target.matches('pm-study-designer');
  if (!isDraft) history.replaceState(null, '', link);
  for (const room of document.querySelectorAll<HTMLAnchorElement>('.rooms a, .more a')) {
    room.hash = new URL(link).hash;
  }
}

/** Whether the address is this study's, whatever stands behind it. */
function isAt(study: StudyDetail['study']): boolean {
  const packed = (link: string): string | null =>
    new URLSearchParams(new URL(link).hash.slice(1)).get('study');
  return packed(location.href) === packed(study.toLink(location.href));
}

/** The whole site, for use without the network. */
function keepOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  // Without it the page still works; it only needs the network again after a reload.
  const home = document.querySelector<HTMLAnchorElement>('.brand');
  navigator.serviceWorker.register(new URL('sw.js', home?.href)).catch(() => undefined);
  void navigator.serviceWorker.ready.then(() => {
    document.querySelector('#offline')?.removeAttribute('hidden');
  });
}
