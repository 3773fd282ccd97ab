import { PrivateMomentsError, guaranteeOf } from 'private-moments';
import type { Guarantee, LocalCounts, MechanismInfo, Study } from 'private-moments';
import type { Session } from 'private-moments/federation';
import { html, nothing, type TemplateResult } from 'lit';
import type { studyProblem } from '../base/failure.js';
import { list } from 'private-moments/words';
import { givesDirections } from '../base/mechanism.js';
import { notice } from '../controls/notice.js';
import type { FilesDetail } from '../contract/elements.js';
import { federation } from '../session/session-files.js';
import { partyFacts } from '../session/session-words.js';
import { splitLanes } from '../session/split-lanes.js';
import { studyDetails, studyFacts } from '../session/study-view.js';
import { viewNames } from '../session/view-order.js';

/** The session that a link opened. */
export interface JoinedSession {
  session: Session;
  /** The guarantee of the sum over all sites, with its floor. */
  guarantee: Guarantee;
  /** The six words of the helper's keys. */
  words: string;
}

/** Shown before a study is open; `problem` says why one could not be opened. */
export function welcome({
  isCompact,
  problem,
  hasSample,
  onFile,
  onLink,
  onSample,
}: {
  /** Whether the page has said what this is, and has a field for a link. */
  isCompact: boolean;
  problem: ReturnType<typeof studyProblem> | undefined;
  hasSample: boolean;
  onFile: (file: File | undefined) => void;
  onLink: (link: string) => void;
  onSample: () => void;
}): TemplateResult {
  return html`${
      isCompact
        ? nothing
        : html`<h1 tabindex="-1">Take part in a study</h1>
            <p class="lead">
              Study many hospitals’ records without moving them. Your rows stay on this computer.
              One small file of noisy numbers leaves it, and only when you send it.
            </p>
            ${linkField(onLink)}`
    }
    <pm-drop-zone
      class="study"
      heading="Drop the study file here"
      help="The study says what is asked and how you are protected."
      action="Choose a study file"
      accept=".json,application/json"
      @pm-files=${(event: CustomEvent<FilesDetail>) => {
        onFile(event.detail.files[0]);
      }}
    >
      ${
        hasSample
          ? html`<button class="button" type="button" @click=${onSample}>
              Try the sample study
            </button>`
          : nothing
      }
    </pm-drop-zone>
    ${
      problem === undefined
        ? nothing
        : html`<div class="above">
            ${notice({
              kind: 'bad',
              title: problem.title,
              body: html`${problem.body}
              ${
                problem.detail === ''
                  ? nothing
                  : html`<span class="detail">Details for the sender: ${problem.detail}.</span>`
              }`,
            })}
          </div>`
    }`;
}

/** Takes a link as well as an address bar does, where there is no site to open it on. */
function linkField(onLink: (link: string) => void): TemplateResult {
  return html`<form
    class="link-field"
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      onLink((event.target as HTMLFormElement).querySelector('input')?.value ?? '');
    }}
  >
    <label for="link">Paste the study link you were sent</label>
    <div>
      <input
        id="link"
        class="input"
        type="text"
        autocomplete="off"
        spellcheck="false"
        placeholder="https://…#study=…"
        required
      />
      <button class="button" type="submit">Open the study</button>
    </div>
  </form>`;
}

/** What the study asks, how it protects participants, and who gets what. */
export function opening({
  study,
  joinedSession,
  guarantee,
  mechanism,
  onePerson,
  isSent,
  guide,
}: {
  study: Study;
  joinedSession: JoinedSession | undefined;
  guarantee: Guarantee | undefined;
  mechanism: MechanismInfo | undefined;
  /** Whether each person has one row, if the participant said so. */
  onePerson: boolean | undefined;
  /** Whether this participant's files for a session are made. */
  isSent: boolean;
  /** The address of the guide's folder, or "" where there is none. */
  guide: string;
}): TemplateResult {
  return html`<h1 tabindex="-1">${study.title}</h1>
    <p class="lead">
      ${study.description ?? `This study asks how ${subject(study)}.`} Your file stays on this
      computer.
      ${
        joinedSession === undefined
          ? `One small file of ${givesDirections(study) ? 'noisy directions' : 'noisy sums'} leaves it`
          : 'Two files leave it, one for the analyst and one for a helper'
      },
      and only when you send ${joinedSession === undefined ? 'it' : 'them'}.
      ${
        guide === ''
          ? nothing
          : html`<a href="${guide}how-to/take-part.html" target="_blank" rel="noopener"
              >How to take part</a
            >`
      }
    </p>
    ${studyFacts(study, joinedSession?.guarantee ?? guarantee, onePerson)}
    ${
      joinedSession === undefined
        ? nothing
        : html`${partyFacts(study, joinedSession.guarantee, joinedSession.words)}
          ${splitLanes('site', isSent ? 'close' : 'mask', joinedSession.session.least)}`
    }
    ${studyDetails(study, mechanism)}`;
}

function subject(study: Study): string {
  if (givesDirections(study)) return 'its columns vary together';
  const views = viewNames(study);
  return views.length === 0 ? 'its columns vary together' : `${list(views)} move together`;
}

/**
 * Checks that this page can serve the study: with a release of its own, or as a part in a session of
 * two files.
 * @throws PrivateMomentsError `needs-session`
 */
export function requireSupported(
  { federation: { mode } }: Study,
  session: Session | undefined,
): void {
  if (mode === 'independent' || (mode === 'split' && session !== undefined)) return;
  const message =
    mode === 'split'
      ? 'this link is for the analyst. Ask the analyst for the participant link'
      : `its sites exchange several messages (${mode}), which this page cannot carry: take part from code, with private-moments/federation and a relay, or ask for a study with federation split`;
  throw new PrivateMomentsError('needs-session', message, { field: 'federation.mode' });
}

/** A release under pure epsilon has at least about the noise of one under this many times epsilon of GDP. */
const GDP_OF_EPSILON = 1.25;
/** The variance of a column in scaled units that forecasts assume: a fifth of the range, squared. */
const USUAL_VARIANCE = 0.16;

/**
 * About how large the noise is, at least, in a correlation from these rows alone: that of the Gaussian
 * mechanism at the guarantee of the study (the others have more), over the rows and the variance of a
 * column. The variance is 1 where rows are in coordinates of their own. Undefined for sums behind masks, unit
 * participant, directions and files without usable rows, and if the core cannot be loaded.
 */
export async function noiseOf(
  study: Study,
  { rows, dropped, centred }: LocalCounts,
): Promise<number | undefined> {
  const used = rows - dropped - centred;
  const isAlone = study.federation.mode === 'independent' && study.unit === 'row';
  if (used === 0 || !isAlone || givesDirections(study)) return undefined;
  const guarantee = await guaranteeFor(study);
  if (guarantee === undefined) return undefined;
  const gdp = guarantee.gdp ?? GDP_OF_EPSILON * guarantee.epsilon;
  const isScaled = study.clipping !== 'fixed' || study.columns.some((column) => 'centre' in column);
  return study.rowNorm ** 2 / (gdp * used * (isScaled ? 1 : USUAL_VARIANCE));
}

/** The study's guarantee; undefined if the core cannot be loaded or cannot make a release of it. */
export async function guaranteeFor(study: Study): Promise<Guarantee | undefined> {
  try {
    return await guaranteeOf(study);
  } catch {
    return undefined;
  }
}

export async function openSession(study: Study, session: Session): Promise<JoinedSession> {
  const { keyWords, guaranteeOf } = await federation();
  if (session.helper === undefined) throw new TypeError('a split without a helper');
  return { session, guarantee: await guaranteeOf(study), words: keyWords(session.helper) };
}
