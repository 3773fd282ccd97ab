import type { LedgerEntry, LocalCounts, Release, Standing, Study } from 'private-moments';
import { html, nothing, type TemplateResult } from 'lit';
import { plural, seconds, significant } from './format.js';
import { doneRing } from './icons.js';
import { againWords, refusedWords, timeOf } from './ledger-words.js';
import { whatComesOut, withNoise } from './mechanism.js';
import { notice, type Notice } from './notice.js';
import type { Cost, Unmade } from './participant-ledger.js';
import { uselessWords } from './preview.js';
import { progressBar, type Reading } from './progress.js';
import type { Part } from './session-part.js';

/** The release on the page. */
export interface Shown extends Cost {
  release: Release;
  name: string;
  /** Milliseconds; undefined of one made earlier. */
  took: number | undefined;
}

/** What leaves on the page of a session. */
export interface ShownPart extends Cost {
  part: Part;
  /** Milliseconds; undefined of one taken before. */
  took: number | undefined;
}

interface Work {
  study: Study;
  counts: LocalCounts;
  /** What the ledger says of the file. */
  standing: Standing | undefined;
  working: Reading | undefined;
  /** What was tried last, where nothing came of it. */
  unmade: Unmade | undefined;
  release: Shown | undefined;
  /** Milliseconds that the part of a session took, where it was made of this file. */
  masked: number | undefined;
  isInSession: boolean;
  onMake: () => void;
  onCancel: () => void;
  another: (kind: '' | 'primary') => TemplateResult | typeof nothing;
  /** What to do in place of another release. */
  instead: (standing: Standing) => TemplateResult;
}

/** What making it private has come to. */
export function workState(work: Work): TemplateResult {
  const { study, counts, standing, unmade, another } = work;
  if (work.working !== undefined) return progressBar(work.working, work.onCancel, 'line');
  if (work.release !== undefined) return madeIt(study, work.release, counts);
  if (work.masked !== undefined) return maskedIt(study, work.masked, counts);
  const refusal = standing?.refusal ? refused(standing, work.instead(standing)) : undefined;
  if (refusal !== undefined && unmade?.entry === undefined) return refusal;
  const isAgain = standing !== undefined && standing.entries.length > 0;
  const button = html`<button class="button primary" type="button" @click=${work.onMake}>
    ${isAgain ? 'Make it private again' : 'Make it private'}
  </button>`;
  if (unmade?.entry !== undefined) {
    const ledger = standing === undefined ? nothing : work.instead(standing);
    return html`<div class="again">
        ${notice({
          kind: unmade.problem === undefined ? 'stopped' : 'bad',
          ...inVainWords(unmade, unmade.entry),
          actions: refusal === undefined ? html`${button} ${ledger} ${another('')}` : undefined,
        })}
      </div>
      ${refusal}`;
  }
  if (unmade !== undefined) {
    return notice({
      ...unmadeWords(unmade),
      actions: html`${button} ${another('')}`,
    });
  }
  const useless = uselessWords(study, counts);
  if (useless !== undefined && !useless.isOffered) {
    return notice({ kind: 'bad', ...useless, actions: another('primary') });
  }
  return html`${
      useless === undefined ? nothing : notice({ kind: 'warn', ...useless, actions: another('') })
    }
    ${isAgain ? again(standing, work.instead(standing)) : nothing}
    <div class="offer">
      ${button}
      <p class="help">
        ${plural(counts.rows - counts.dropped, 'row becomes', 'rows become')}
        ${whatComesOut(study)},
        ${
          !work.isInSession
            ? html`${withNoise(study, 'gets')}. You see the result before anything leaves.`
            : html`and each gets its share of the noise and a mask. Every attempt costs privacy
              anew: if this session fails and you are asked again, that is another release.`
        }
      </p>
    </div>`;
}

/** Of what cost nothing. */
function unmadeWords({ problem }: Unmade): Notice {
  const title = 'Nothing was made and nothing left.';
  if (problem !== undefined) return { kind: 'bad', title, body: problem };
  const body = 'No privacy budget was spent. Your file is still matched.';
  return { kind: 'stopped', title: `Stopped. ${title}`, body };
}

/** Of what the ledger counts although nothing came of it. */
function inVainWords(
  { problem }: Unmade,
  entry: LedgerEntry | 'unknown',
): { title: string; body: string } {
  const isKnown = entry !== 'unknown';
  const title = `Nothing left, but the ledger ${isKnown ? 'counts' : 'may count'} it.`;
  if (problem === undefined) {
    const body = isKnown
      ? `Entry ${entry.number} could not be taken back. What was drawn was thrown away unseen, so you may take the entry out by hand, with that as the reason.`
      : 'An entry was written, and the ledger cannot be read now. Where it is there later, you may take it out by hand: what was drawn was thrown away unseen.';
    return { title: `Stopped. ${title}`, body };
  }
  const body = isKnown
    ? `Entry ${entry.number} was written to the ledger before that, and noise may have been drawn: the entry counts, and its privacy budget is spent. Making it private again is another release, with an entry of its own.`
    : 'An entry was written to the ledger before that, and noise may have been drawn. The ledger cannot be read now: take the privacy budget for spent unless the entry turns out not to be there.';
  return { title, body: `${problem} ${body}` };
}

/** The same data again: said before, not refused. */
function again(standing: Standing, actions: TemplateResult): TemplateResult {
  return html`<div class="again">
    ${notice({ kind: 'warn', ...againWords(standing), actions })}
  </div>`;
}

function refused(standing: Standing, actions: TemplateResult): TemplateResult {
  const { spent, budget } = standing;
  const { title, body } = refusedWords(standing);
  return html`<div class="again">
    ${notice({
      kind: 'warn',
      title,
      body: html`${body}
      ${
        spent === null || budget === null || standing.entries.length === 0
          ? nothing
          : html`<pm-budget-bar .spent=${spent} .budget=${budget} exhausted></pm-budget-bar>`
      }`,
      actions,
    })}
  </div>`;
}

function madeIt(study: Study, { release, took }: Shown, counts: LocalCounts): TemplateResult {
  if (took === undefined) {
    return notice({ kind: 'done', title: 'Made earlier. Sending it again costs nothing.' });
  }
  return html`<div class="made" role="status">
    ${doneRing}
    <div>
      <p>
        Done in ${seconds(took)}. ${plural(counts.rows - counts.dropped, 'row')} became
        ${whatComesOut(study)}, ${withNoise(study, 'got')}.
      </p>
      <p class="help">${noiseWords(release)}</p>
    </div>
  </div>`;
}

function maskedIt(study: Study, took: number, counts: LocalCounts): TemplateResult {
  return html`<div class="made" role="status">
    ${doneRing}
    <div>
      <p>
        Done in ${seconds(took)}. ${plural(counts.rows - counts.dropped, 'row')} became
        ${whatComesOut(study)}, each with its share of the noise and a mask.
      </p>
      <p class="help">
        Noise and masks were added where the rows were read. The sums without them were not kept.
      </p>
    </div>
  </div>`;
}

/** Of a part that was taken before, or in another tab. */
export function tookPart({ at, from }: Part): TemplateResult {
  return notice({
    kind: 'done',
    title: `You took part in this session on ${timeOf(at)}, with ${from}.`,
    body: 'A session takes one data set of each participant, once. The two files below are the same as then: sending them again costs nothing.',
  });
}

/** How large the noise is, where the mechanism knows. */
function noiseWords({ content, noise }: Release): string {
  if (content === 'components') {
    return 'How far they are from the true directions, this mechanism does not tell. The sums they were made from were not kept.';
  }
  const diagonal =
    noise.sdDiagonal === noise.sdOffDiagonal
      ? ''
      : `, and ${significant(noise.sdDiagonal)} on the diagonal`;
  return `Standard deviation of the noise: ${significant(noise.sdOffDiagonal)}${diagonal}. The sums without noise were not kept.`;
}
