// The folder private-moments is a copy of the package's dist/.
import { defineElements } from './private-moments/elements.js';
import { study } from './study.js';

const participant = document.querySelector('pm-participate');
const made = document.querySelector('#made');

participant.study = study;
participant.addEventListener('pm-release', ({ detail: { release, name } }) => {
  // Nothing has been sent: that is for this page to do, once the participant agrees.
  made.textContent = `${name} holds ${release.rows} rows, with epsilon ${release.guarantee.epsilon}.`;
});

await defineElements();
