import { PrivateMomentsError } from 'private-moments';

/** Of a file of the page that is not there, or a worker that does not start. */
export const NOT_LOADED =
  'A part of this page could not be loaded or started. Look whether you are online and load the page again; if that does not help, try another browser. Nothing left this computer.';

const NO_WEBASSEMBLY =
  'This browser has no WebAssembly, which this page calculates with, or has it switched off. Try another browser. Nothing left this computer.';

const NO_LEDGER =
  'The ledger cannot be read or written here, so nothing was released. This browser keeps nothing for this page, as in some private windows: open the page in an ordinary one, or allow it to store data.';

/**
 * What to tell a person about an error. A foreign error's message may quote data, so only its kind
 * is told; what only who runs a page can mend is told as what its reader can do.
 */
export function describe(error: unknown): string {
  if (isAboutPage(error)) {
    return typeof WebAssembly === 'undefined' ? NO_WEBASSEMBLY : NOT_LOADED;
  }
  if (error instanceof PrivateMomentsError) {
    return error.code === 'ledger-unavailable' ? NO_LEDGER : sentence(error.message);
  }
  const kind = error instanceof Error ? error.name : typeof error;
  return `Something failed unexpectedly (${kind}). Nothing left this computer.`;
}

/** The same of a release that the ledger has an entry of: what fails there then is a second writing. */
export function describeEntered(error: unknown): string {
  if (!isAboutLedger(error)) return describe(error);
  return 'The ledger could not be written a second time, so nothing was handed out.';
}

export function wasCancelled(error: unknown): boolean {
  if (error instanceof PrivateMomentsError) return error.code === 'cancelled';
  return error instanceof Error && error.name === 'AbortError';
}

/** Whether the data lack a column of the study, which matching can mend. */
export function lacksColumn(error: unknown): boolean {
  return error instanceof PrivateMomentsError && error.code === 'missing-column';
}

/** Whether the page itself, not the data, is what failed. */
export function isAboutPage(error: unknown): boolean {
  if (error instanceof PrivateMomentsError) {
    return error.code === 'worker-failed' || error.code === 'core-unavailable';
  }
  return typeof WebAssembly === 'undefined';
}

/** What to say of a study that cannot be opened; `detail` is for whoever made it. */
export function studyProblem(error: unknown): { title: string; body: string; detail: string } {
  const title = 'This study cannot be opened.';
  if (!(error instanceof PrivateMomentsError)) return { title, body: describe(error), detail: '' };
  const { code, field, message } = error;
  if (code === 'study-version' || code === 'session-version') {
    const what = code === 'study-version' ? 'study' : 'session';
    return {
      title: 'This link was made with another version.',
      body: `What it holds is a ${what}, but not one that this page can read. Ask whoever sent it for a new one.`,
      detail: message,
    };
  }
  if (field === undefined || field === 'format' || !ABOUT_STUDY.includes(code)) {
    return { title, body: describe(error), detail: '' };
  }
  return {
    title: 'This study cannot be read.',
    body: 'Something in it is not as it must be, so it was not opened. Nothing is wrong with your computer or your data. Ask whoever sent it to mend it.',
    detail: message,
  };
}

/** Whether the ledger, not the data, is what failed. */
export function isAboutLedger(error: unknown): boolean {
  return error instanceof PrivateMomentsError && error.code.startsWith('ledger-');
}

/** Codes of what a study says. */
const ABOUT_STUDY: readonly string[] = [
  ...['invalid-study', 'invalid-column', 'duplicate-column', 'invalid-bounds', 'invalid-levels'],
  ...[
    'invalid-dimension',
    'invalid-view',
    'invalid-unit',
    'invalid-neighbours',
    'invalid-row-norm',
  ],
  ...['invalid-clipping', 'invalid-missing-rule', 'invalid-epsilon', 'invalid-delta'],
  ...['invalid-mechanism', 'invalid-federation', 'noise-too-large'],
];

const REFUSALS: readonly string[] = ['over-budget', 'cannot-compose', 'released-since'];

/** Whether the ledger refused, as after a release in another tab. */
export function isRefusal(error: unknown): boolean {
  return error instanceof PrivateMomentsError && REFUSALS.includes(error.code);
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
