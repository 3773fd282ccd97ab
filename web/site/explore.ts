import { explore } from '../elements/src/rooms/explore.js';
import { open } from './main.js';

open(explore);
openSection();
window.addEventListener('hashchange', openSection);

/** The address may name a section. */
function openSection(): void {
  const room = document.querySelector('pm-explorer');
  if (room !== null) room.section = location.hash.slice(1);
}
