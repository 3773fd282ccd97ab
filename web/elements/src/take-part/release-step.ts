import type { LedgerEntry, LocalCounts, Release, Standing, Study } from 'private-moments';
import { html, nothing, type TemplateResult } from 'lit';
import { list, plural, seconds, significant } from 'private-moments/words';
import { doneRing } from '../look/icons.js';
import { againWords, refusedWords, timeOf } from '../session/ledger-words.js';
import { whatComesOut, whatElseLeaves, withNoise } from '../base/mechanism.js';
import { concernsCard, type Concern } from './concerning.js';
import { notice, type Notice } from '../controls/notice.js';
import type { LedgerCost, FailedAttempt } from './participant-ledger.js';
import { unusableWords } from './preview.js';
import { progressBar, type Reading } from '../controls/progress.js';
import type { Part } from './session-part.js';

/** The release on the page. */
export interface ShownRelease extends LedgerCost {
  release: Release;
  name: string;
  /** Milliseconds; undefined if it was made earlier. */
  elapsed: number | undefined;
}

/** The part in a session on the page. */
export interface ShownPart extends LedgerCost {
  part: Part;
  /** Milliseconds; undefined if it was made earlier. */
  elapsed: number | undefined;
}

interface ReleaseStep {
  study: Study;
  counts: LocalCounts;
  /** The file's record in the ledger. */
  standing: Standing | undefined;
  working: Reading | undefined;
  /** The last attempt, if it made no release. */
  failedAttempt: FailedAttempt | undefined;
  release: ShownRelease | undefined;
  /** Milliseconds that the part in a session took, if it was made from this file. */
  masked: number | undefined;
  isInSession: boolean;
  concerns: readonly Concern[];
  /** Whether the promise is about a person; undefined while it is not answered, or not asked. */
  onePerson: boolean | undefined;
  /** What must be answered before a release is made, as ends of "First answer ...". */
  unanswered: readonly string[];
  onMake: () => void;
  onCancel: () => void;
  another: (kind: '' | 'primary') => TemplateResult | typeof nothing;
  /** Buttons for what to do instead of another release. */
  alternatives: (standing: Standing) => TemplateResult;
}

/** The step "Make it private": its button, its progress, or how it ended. */
export function releaseStep(step: ReleaseStep): TemplateResult {
  const { study, counts, standing, failedAttempt, another } = step;
  if (step.working !== undefined) return progressBar(step.working, step.onCancel, 'line');
  if (step.release !== undefined) return doneNotice(study, step.release, counts);
  if (step.masked !== undefined) return maskedNotice(study, step.masked, counts);
  const refusal = standing?.refusal ? refused(standing, step.alternatives(standing)) : undefined;
  if (refusal !== undefined && failedAttempt?.entry === undefined) return refusal;
  const isAgain = standing !== undefined && standing.entries.length > 0;
  const button = makeButton(step, isAgain);
  if (failedAttempt?.entry !== undefined) {
    const ledger = standing === undefined ? nothing : step.alternatives(standing);
    return html`<div class="again">
        ${notice({
          kind: failedAttempt.problem === undefined ? 'stopped' : 'bad',
          ...countedWords(failedAttempt, failedAttempt.entry),
          actions: refusal === undefined ? html`${button} ${ledger} ${another('')}` : undefined,
        })}
        ${refusal === undefined ? openQuestions(step) : nothing}
      </div>
      ${refusal}`;
  }
  if (failedAttempt !== undefined) {
    return html`${notice({
      ...failedWords(failedAttempt),
      actions: html`${button} ${another('')}`,
    })}
    ${openQuestions(step)}`;
  }
  const unusable = unusableWords(study, counts);
  if (unusable !== undefined && !unusable.isOffered) {
    return notice({ kind: 'bad', ...unusable, actions: another('primary') });
  }
  return html`${
      unusable === undefined ? nothing : notice({ kind: 'warn', ...unusable, actions: another('') })
    }
    ${unusable === undefined ? concernsCard(step.concerns, another('')) : nothing}
    ${isAgain ? again(standing, step.alternatives(standing)) : nothing}
    <div class="offer">
      ${button}
      <p class="help">
        ${plural(counts.rows - counts.dropped, 'row becomes', 'rows become')}
        ${whatComesOut(study)},
        ${
          !step.isInSession
            ? html`${withNoise(study, 'gets')}. ${withThem(study)} You see the result before
              anything leaves.`
            : html`and each gets its share of the noise and a mask. Every attempt costs privacy: if
              this session fails and you are asked again, that counts as another release.`
        }
        ${promiseWords(step)}
      </p>
    </div>
    ${openQuestions(step)}`;
}

/** The button that spends budget: it waits for the answers, and stays in reach of the keyboard meanwhile. */
function makeButton(step: ReleaseStep, isAgain: boolean): TemplateResult {
  const isOpen = step.unanswered.length > 0;
  const isAnyway = step.concerns.some(({ needsChoice }) => needsChoice === true);
  return html`<button
    class="button ${isAnyway ? '' : 'primary'}"
    type="button"
    aria-disabled=${isOpen ? 'true' : nothing}
    aria-describedby=${isOpen ? 'unanswered' : nothing}
    @click=${() => {
      if (!isOpen) step.onMake();
    }}
  >
    ${isAnyway ? 'Make it anyway' : isAgain ? 'Make it private again' : 'Make it private'}
  </button>`;
}

/** Which answers the button waits for. */
function openQuestions({ unanswered }: ReleaseStep): TemplateResult {
  return html`<p class="unanswered" id="unanswered" role="status">
    ${unanswered.length === 0 ? nothing : `First answer ${list(unanswered)}.`}
  </p>`;
}

function withThem(study: Study): string {
  return `The file also holds ${list(whatElseLeaves(study))}.`;
}

/** What the answer to "Is one row one person?" makes of the promise. */
function promiseWords({ study, onePerson }: ReleaseStep): string | typeof nothing {
  if (study.unit !== 'row') return nothing;
  if (onePerson === true) return 'The promise is about each person.';
  return onePerson === false
    ? '“One person is one row” does not hold for this file. The promise is about each row: someone with ten rows is protected ten times less.'
    : 'The promise is about each row.';
}

/** Words for an attempt that cost nothing. */
function failedWords({ problem }: FailedAttempt): Notice {
  const title = 'No release was made. Nothing left this computer.';
  if (problem !== undefined) return { kind: 'bad', title, body: problem };
  const body = 'No privacy budget was spent. Your file is still matched.';
  return { kind: 'stopped', title: `Stopped. ${title}`, body };
}

/** Words for an attempt that made no release but counts in the ledger. */
function countedWords(
  { problem }: FailedAttempt,
  entry: LedgerEntry | 'unknown',
): { title: string; body: string } {
  const isKnown = entry !== 'unknown';
  const title = `Nothing left this computer, but the ledger ${isKnown ? 'counts' : 'may count'} the attempt.`;
  if (problem === undefined) {
    const body = isKnown
      ? `Entry ${entry.number} could not be withdrawn. The noise was discarded unseen, so you may take the entry out by hand and give that as the reason.`
      : 'An entry was written, and the ledger cannot be read now. The noise was discarded unseen, so if the entry shows up later, you may take it out by hand.';
    return { title: `Stopped. ${title}`, body };
  }
  const body = isKnown
    ? `Entry ${entry.number} had been written to the ledger, and noise may have been drawn: the entry counts, and its privacy budget is spent. Making it private again is another release with an entry of its own.`
    : 'An entry had been written to the ledger, and noise may have been drawn. The ledger cannot be read now: assume the budget is spent unless the entry turns out to be missing.';
  return { title, body: `${problem} ${body}` };
}

/** Warns that the same data were released before. */
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

function doneNotice(
  study: Study,
  { release, elapsed }: ShownRelease,
  counts: LocalCounts,
): TemplateResult {
  if (elapsed === undefined) {
    return notice({ kind: 'done', title: 'Made earlier. Sending it again costs nothing.' });
  }
  return html`<div class="made" role="status">
    ${doneRing}
    <div>
      <p>
        Done in ${seconds(elapsed)}. ${plural(counts.rows - counts.dropped, 'row')} became
        ${whatComesOut(study)}, ${withNoise(study, 'got')}. ${withThem(study)}
      </p>
      <p class="help">${noiseWords(release)}</p>
    </div>
  </div>`;
}

function maskedNotice(study: Study, elapsed: number, counts: LocalCounts): TemplateResult {
  return html`<div class="made" role="status">
    ${doneRing}
    <div>
      <p>
        Done in ${seconds(elapsed)}. ${plural(counts.rows - counts.dropped, 'row')} became
        ${whatComesOut(study)}, each with its share of the noise and a mask.
      </p>
      <p class="help">
        Noise and masks were added as the rows were read. The sums without them were not kept.
      </p>
    </div>
  </div>`;
}

/** Words for a part that was made earlier, or in another tab. */
export function earlierPart({ at, from }: Part): TemplateResult {
  return notice({
    kind: 'done',
    title: `You took part in this session on ${timeOf(at)}, with ${from}.`,
    body: 'A session takes one data set from each participant, once. The two files below are the ones made then: sending them again costs nothing.',
  });
}

/** How large the noise is, for mechanisms whose noise has a known size. */
function noiseWords({ content, noise }: Release): string {
  if (content === 'components') {
    return 'This mechanism does not say how far they are from the true directions. The sums they were made from were not kept.';
  }
  const diagonal =
    noise.sdDiagonal === noise.sdOffDiagonal
      ? ''
      : `, and ${significant(noise.sdDiagonal)} on the diagonal`;
  return `Standard deviation of the noise: ${significant(noise.sdOffDiagonal)}${diagonal}. The sums without noise were not kept.`;
}
