import { hasStudy } from '../../elements/src/index.js';
import { open } from '../main.js';
import { openSearch } from './search.js';
import 'virtual:look.css';
import './guide.css';

open({});
keepOpenStudy();
showPlace();
// Beside the text the contents are no longer over it.
matchMedia('(min-width: 1000px)').addEventListener('change', () => {
  document.querySelector<HTMLElement>('#contents:popover-open')?.hidePopover();
});
const search = document.querySelector<HTMLElement>('.search');
if (search !== null) openSearch(search);

/**
 * Keeps the study that was open in the room the reader came from, so that the way back leads to it. For
 * as long as the tab is open, as the fragments of these pages are their headings.
 */
function keepOpenStudy(): void {
  const key = 'private-moments open study';
  if (hasStudy(location.hash)) {
    sessionStorage.setItem(key, location.hash);
    history.replaceState(null, '', location.pathname);
  }
  const study = sessionStorage.getItem(key);
  if (study === null) return;
  for (const room of document.querySelectorAll<HTMLAnchorElement>('.rooms a, .more a')) {
    if (room.getAttribute('aria-current') === null) room.hash = study;
  }
}

/** Scrolls the side navigation, and not the page, to the page that is read. */
function showPlace(): void {
  const list = document.querySelector<HTMLElement>('#contents');
  const current = list?.querySelector<HTMLElement>('[aria-current]');
  if (list == null || current == null) return;
  const { top } = list.getBoundingClientRect();
  const beyond = current.getBoundingClientRect().bottom - top - list.clientHeight / 2;
  if (beyond > 0) list.scrollTop = beyond;
}
