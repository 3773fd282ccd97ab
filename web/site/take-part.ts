import { nextTask } from 'private-moments/internal';
import { register, type ElementClasses } from '../elements/src/base/register.js';
import { hasStudy } from '../elements/src/index.js';
import { openDoor } from './landing/door.js';
import { open } from './main.js';
import 'virtual:look.css';
import './landing/landing.css';

const room = async (): Promise<ElementClasses> => {
  const { PmParticipate } = await import('../elements/src/take-part/participant.js');
  return { 'pm-participate': PmParticipate };
};

// With a study in its address, the page needs nothing of the landing page.
if (hasStudy(location.hash)) {
  document.querySelector('pm-participate')?.removeAttribute('compact');
  open(await room());
} else {
  openDoor();
  void landing();
  open({});
  // What takes a study or a file comes after what is seen, and after a pause, so that the page stays responsive.
  const elements = await room();
  await nextTask();
  register(elements);
}

async function landing(): Promise<void> {
  const { openLanding } = await import('./landing/landing.js');
  await nextTask();
  openLanding();
}
