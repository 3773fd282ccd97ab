import type { PmFindMeElement } from '../research/elements/contract.js';
import { findMe } from '../research/elements/find-me/find-me-room.js';
import { start } from './main.js';

await start(findMe);
openGame();
window.addEventListener('hashchange', openGame);

/** Opens the game at the epsilon that the address names. */
function openGame(): void {
  const game = document.querySelector<PmFindMeElement>('pm-find-me');
  if (game === null) return;
  const [page = ''] = location.href.split('#');
  game.link = page;
  const epsilon = Number(new URLSearchParams(location.hash.slice(1)).get('epsilon'));
  if (epsilon >= 0.1 && epsilon <= 100) game.epsilon = epsilon;
}
