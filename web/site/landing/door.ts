import type { PmParticipateElement } from '../../elements/src/index.js';

// Nothing here is shared with the rest of the landing page: a file of its own would have to load first.
const byId = (id: string): HTMLElement | null => document.getElementById(id);

/**
 * Lets the landing page give way to a study once one is opened. *I have a link* shows the field for its link, and
 * the place to drop its file. Call this before there is a room: a study that opens earlier would stay hidden.
 */
export function openDoor(): void {
  document.addEventListener('pm-study', () => {
    document.documentElement.classList.add('has-study');
  });
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
