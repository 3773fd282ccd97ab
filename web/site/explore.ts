import { explore } from '../elements/src/explore/room.js';
import { open } from './main.js';

open(explore);
openSection();
window.addEventListener('hashchange', openSection);

/** Opens the section that the address names. */
function openSection(): void {
  const room = document.querySelector('pm-explorer');
  if (room !== null) room.section = location.hash.slice(1);
}
