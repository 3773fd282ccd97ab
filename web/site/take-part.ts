import { hasStudy } from '../elements/src/index.js';
import { takePart } from '../elements/src/take-part/room.js';
import { openDoor } from './landing/door.js';
import { open } from './main.js';
import 'virtual:look.css';
import './landing/landing.css';

// With a study in its address, the page needs nothing of the landing page.
const isLanding = !hasStudy(location.hash);
if (isLanding) openDoor();
else document.querySelector('pm-participate')?.removeAttribute('compact');
open(takePart);
if (isLanding) {
  const { openLanding } = await import('./landing/landing.js');
  openLanding();
}
