import { count } from 'private-moments/words';
import { PmLogSlider } from '../../elements/src/controls/log-slider.js';
import { register } from '../../elements/src/base/register.js';
import { PmLiveConsortium, type RoundDetail } from './live-consortium.js';
import './landing.css';

/** How much of a release its card shows. */
const SHOWN = 190;

const byId = (id: string): HTMLElement | null => document.getElementById(id);

function write(id: string, words: string): void {
  const element = byId(id);
  if (element !== null) element.textContent = words;
}

/** Starts what moves on the landing page. It ends when a study takes the place of the page. */
export function openLanding(): void {
  if (document.documentElement.classList.contains('has-study')) return;
  register({ 'pm-log-slider': PmLogSlider, 'pm-live-consortium': PmLiveConsortium });
  const stage = byId('stage');
  const consortium = new PmLiveConsortium();
  consortium.sample = stage?.dataset.sample ?? '';
  consortium.addEventListener('pm-round', (event) => {
    showRelease((event as CustomEvent<RoundDetail>).detail);
  });
  stage?.append(consortium);
  document.addEventListener(
    'pm-study',
    () => {
      consortium.remove();
    },
    { once: true },
  );
  watchNetwork();
}

function showRelease({ round: { text, bytes } }: RoundDetail): void {
  write('bytes', count(bytes));
  write('release', `${text.slice(0, SHOWN)}…`);
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
