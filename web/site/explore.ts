import { explore } from '../research/elements/room.js';
import type { PmExplorerElement } from '../research/elements/contract.js';
import { start } from './main.js';

await start(explore);
openSection();
window.addEventListener('hashchange', openSection);

/** Opens the section that the address names. */
function openSection(): void {
  const room = document.querySelector<PmExplorerElement>('pm-explorer');
  if (room !== null) room.section = location.hash.slice(1);
}
