import { hasStudy } from '../elements/src/index.js';
import { takePart } from '../elements/src/take-part/room.js';
import { open } from './main.js';
import 'virtual:look.css';
import './landing/landing.css';

if (hasStudy(location.hash)) document.querySelector('pm-participate')?.removeAttribute('compact');
open(takePart);
// With a study in its address, the page needs nothing of the landing page.
if (!hasStudy(location.hash)) {
  const { openLanding } = await import('./landing/landing.js');
  openLanding();
}
