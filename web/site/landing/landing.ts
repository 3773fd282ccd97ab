import { PmLogSlider } from '../../elements/src/controls/log-slider.js';
import { register } from '../../elements/src/base/register.js';
import type { PmParticipateElement } from '../../elements/src/index.js';
import { PmLiveConsortium, type RoundDetail } from './live-consortium.js';
import './landing.css';

/** How much of a release its card shows. */
const SHOWN = 190;

const byId = (id: string): HTMLElement | null => document.getElementById(id);

function write(id: string, words: string): void {
  const element = byId(id);
  if (element !== null) element.textContent = words;
}

/** Starts the landing page, which gives way to a study once one is opened. */
export function openLanding(): void {
  register({ 'pm-log-slider': PmLogSlider, 'pm-live-consortium': PmLiveConsortium });
  const stage = byId('stage');
  const consortium = new PmLiveConsortium();
  consortium.sample = stage?.dataset.sample ?? '';
  consortium.addEventListener('pm-round', (event) => {
    showRelease((event as CustomEvent<RoundDetail>).detail);
  });
  stage?.append(consortium);
  document.addEventListener('pm-study', () => {
    document.documentElement.classList.add('has-study');
  });
  offerDoor();
  watchNetwork();
}

function showRelease({ round: { text, bytes } }: RoundDetail): void {
  write('bytes', bytes.toLocaleString('en'));
  write('release', `${text.slice(0, SHOWN)}…`);
}

/** *I have a link* shows the field for it, and the place to drop a study file. */
function offerDoor(): void {
  const button = byId('have-link');
  const form = byId('paste');
  const field = byId('link') as HTMLInputElement | null;
  const show = (isOpen: boolean): void => {
    document.documentElement.classList.toggle('has-door', isOpen);
    button?.setAttribute('aria-expanded', String(isOpen));
  };
  button?.addEventListener('click', () => {
    const isOpen = button.getAttribute('aria-expanded') !== 'true';
    show(isOpen);
    if (isOpen) field?.focus();
  });
  // Before the room looks whether it is there to take what is dropped.
  const dragged = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') === true) show(true);
  };
  addEventListener('dragover', dragged, { capture: true });
  // Says why, also of a study that did not come through the door.
  document.addEventListener('pm-study-refused', () => {
    show(true);
  });
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    const room = document.querySelector<PmParticipateElement>('pm-participate');
    if (room !== null && field !== null) room.study = field.value;
  });
}

/** Says what this page has asked of whom, as the browser counts it. */
function watchNetwork(): void {
  const show = (): void => {
    write('network', navigator.onLine ? 'online' : 'offline');
  };
  addEventListener('online', show);
  addEventListener('offline', show);
  show();
  let elsewhere = 0;
  new PerformanceObserver((entries) => {
    for (const { name } of entries.getEntries()) {
      const { origin, protocol } = new URL(name);
      if (protocol.startsWith('http') && origin !== location.origin) elsewhere++;
    }
    write('elsewhere', String(elsewhere));
  }).observe({ type: 'resource', buffered: true });
  if (!('serviceWorker' in navigator)) return;
  void navigator.serviceWorker.ready.then(() => {
    write('ready', 'yes');
  });
}
