import { PrivateMomentsError, promiseOf } from 'private-moments';
import type { Guarantee, MechanismInfo, Study } from 'private-moments';
import type { Session } from 'private-moments/federation';
import { html, nothing, type TemplateResult } from 'lit';
import type { studyProblem } from './failure.js';
import { list } from './format.js';
import { givesDirections } from './mechanism.js';
import { notice } from './notice.js';
import type { FilesDetail } from './public.js';
import { federation } from './session-files.js';
import { whoGetsWhat } from './session-words.js';
import { studyDetails, studyFacts } from './study-view.js';

/** The session of the study, where it has one. */
export interface InSession {
  session: Session;
  /** Of the sum of all sites, with its floor. */
  guarantee: Guarantee;
  /** Of the helper's keys. */
  words: string;
}

/** Before there is a study, `problem` of one that could not be opened. */
export function welcome({
  problem,
  hasSample,
  onFile,
  onSample,
}: {
  problem: ReturnType<typeof studyProblem> | undefined;
  hasSample: boolean;
  onFile: (file: File | undefined) => void;
  onSample: () => void;
}): TemplateResult {
  return html`<h1 tabindex="-1">Take part in a study</h1>
    <p class="lead">
      Some questions need rows from many places. Your rows stay on this computer. One small file of
      noisy numbers leaves it, and only when you send it.
    </p>
    <pm-drop-zone
      class="study"
      heading="Drop the study file here"
      help="Or open the study link you were sent. The study says what is asked and how you are protected."
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
                  : html`<span class="detail">For them: ${problem.detail}.</span>`
              }`,
            })}
          </div>`
    }`;
}

/** What is asked, how one is protected, and who gets what. */
export function opening({
  study,
  inSession,
  promise,
  mechanism,
}: {
  study: Study;
  inSession: InSession | undefined;
  promise: Guarantee | undefined;
  mechanism: MechanismInfo | undefined;
}): TemplateResult {
  return html`<h1 tabindex="-1">${study.title}</h1>
    <p class="lead">
      ${study.description ?? `This study asks how ${subject(study)}.`} Your file stays on this
      computer.
      ${
        inSession === undefined
          ? `One small file of ${givesDirections(study) ? 'noisy directions' : 'noisy sums'} leaves it`
          : 'Two files leave it, one for the analyst and one for a helper'
      },
      and only when you send ${inSession === undefined ? 'it' : 'them'}.
    </p>
    ${studyFacts(study, inSession?.guarantee ?? promise)}
    ${inSession === undefined ? nothing : whoGetsWhat(study, inSession.guarantee, inSession.words)}
    ${studyDetails(study, mechanism)}`;
}

function subject(study: Study): string {
  if (givesDirections(study)) return 'its columns vary together';
  const views = Object.keys(study.views ?? {});
  return views.length === 0 ? 'its columns vary together' : `${list(views)} move together`;
}

/**
 * What can be made here: a release that stands by itself, or a part in a session of two files.
 * @throws PrivateMomentsError `needs-session`
 */
export function requireTakable(
  { federation: { mode } }: Study,
  session: Session | undefined,
): void {
  if (mode === 'independent' || (mode === 'split' && session !== undefined)) return;
  const message =
    mode === 'split'
      ? 'it sums what sites send behind masks, which takes a session: open the session link of its analyst, not the study alone'
      : `its sites send each other several messages (${mode}), which no page here carries: take part from code, with private-moments/federation and a relay, or ask for a study with federation split`;
  throw new PrivateMomentsError('needs-session', message, { field: 'federation.mode' });
}

/** What the study promises; undefined where the core cannot be loaded or can make no release of it. */
export async function promiseFor(study: Study): Promise<Guarantee | undefined> {
  try {
    return await promiseOf(study);
  } catch {
    return undefined;
  }
}

export async function openSession(study: Study, session: Session): Promise<InSession> {
  const { keyWords, promiseOf } = await federation();
  if (session.helper === undefined) throw new TypeError('a split without a helper');
  return { session, guarantee: await promiseOf(study), words: keyWords(session.helper) };
}
