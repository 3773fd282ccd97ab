import 'virtual:tokens.css';
import './site.css';
import { nextTask } from 'private-moments/internal';
import { confineWorkers } from 'private-moments/internal/core';
import { hasPart } from '../elements/src/base/address.js';
import {
  hasStudy,
  type PmAnalysisElement,
  type PmParticipateElement,
  type PmSessionHelperElement,
  type PmStudyDesignerElement,
  type StudyDetail,
} from '../elements/src/index.js';
import { register, type ElementClasses } from '../elements/src/base/register.js';
import { PmSeal } from '../elements/src/controls/seal.js';

/** Starts a page, in a task after that of its scripts: together they would keep a slow computer busy for long. */
export async function start(room: ElementClasses): Promise<void> {
  await nextTask();
  open(room);
}

/** Starts a page with the elements of its own room; no page loads those of another. */
export function open(room: ElementClasses): void {
  // While developing, workers load other files.
  if (import.meta.env.PROD) confineWorkers();
  document.addEventListener('pm-study', (event) => {
    keepStudy(event as CustomEvent<StudyDetail>);
  });
  if (Object.keys(room).length > 0) forgetScroll();
  register({ 'pm-seal': PmSeal, ...room });
  openLink();
  window.addEventListener('hashchange', openLink);
  if (import.meta.env.PROD) keepOffline();
}

/** After a reload a room starts at its first step again, so an earlier scroll position makes no sense. */
function forgetScroll(): void {
  history.scrollRestoration = 'manual';
}

/** Opens the study, session or keys in the address in this page's room. */
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
 * Keeps the open study in the fragment of the address, which no server sees, and passes it on to the
 * other pages. Not for a study being designed: its draft must open instead. A session that follows the
 * study in the address stays there.
 */
function keepStudy({ target, detail: { study } }: CustomEvent<StudyDetail>): void {
  forgetScroll();
  const link = isAt(study) ? location.href : study.toLink(location.href);
  const isDraft = target instanceof Element && target.matches('pm-study-designer');
  if (!isDraft) history.replaceState(null, '', link);
  for (const room of document.querySelectorAll<HTMLAnchorElement>('.rooms a, .more a')) {
    room.hash = new URL(link).hash;
  }
}

/** Whether the address holds this study, whatever follows it. */
function isAt(study: StudyDetail['study']): boolean {
  const packed = (link: string): string | null =>
    new URLSearchParams(new URL(link).hash.slice(1)).get('study');
  return packed(location.href) === packed(study.toLink(location.href));
}

/** Registers the service worker, so that the site works without the network. */
function keepOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  // Without the service worker, the page still works but needs the network after a reload.
  const home = document.querySelector<HTMLAnchorElement>('.brand');
  const address = trusted(new URL('sw.js', home?.href).href);
  navigator.serviceWorker.register(address).catch(() => undefined);
  void navigator.serviceWorker.ready.then(() => {
    document.querySelector('#offline')?.removeAttribute('hidden');
  });
}

/** This one address of a script, in the form that the pages' policy requires. */
function trusted(address: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL: () => string },
      ): { createScriptURL(address: string): unknown };
    };
  };
  const policy = trustedTypes?.createPolicy('site', { createScriptURL: () => address });
  return (policy?.createScriptURL(address) ?? address) as string;
}
