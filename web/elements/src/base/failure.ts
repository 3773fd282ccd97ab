import { isPackageError } from 'private-moments/internal';
import type { StudyRefusedDetail } from '../contract/elements.js';

/** Shown if a file of the page is missing or a worker does not start. */
export const NOT_LOADED =
  'Part of this page could not be loaded or started. Nothing left this computer. Check your connection and reload the page; if that does not help, try another browser.';

const NO_WEBASSEMBLY =
  'This page needs WebAssembly, which this browser does not have or has switched off. Nothing left this computer. Try another browser.';

const NO_LEDGER =
  'The ledger cannot be read or written here, so nothing was released. This browser stores nothing for this page, as in some private windows: open the page in a normal window, or allow it to store data.';

/** What callers of the package can pass: readers of a page have buttons for it. */
const FOR_CALLERS = /(?:, or|;) pass (?:csv\.|columns)[^;]*$/;

/**
 * An error in words for the reader of a page. The message of a foreign error may quote data, so only
 * its name is shown. Errors that only the page's operator can fix say what the reader can do instead.
 */
export function describe(error: unknown): string {
  if (isAboutPage(error)) {
    return typeof WebAssembly === 'undefined' ? NO_WEBASSEMBLY : NOT_LOADED;
  }
  if (isPackageError(error)) {
    if (error.code === 'ledger-unavailable') return NO_LEDGER;
    if (error.code !== 'internal') return sentence(error.message.replace(FOR_CALLERS, ''));
  }
  const kind = error instanceof Error ? error.name : typeof error;
  return `Something failed unexpectedly (${kind}). Nothing left this computer. This is a fault of the page and not of your file: please report it, without your data.`;
}

/** The same once the ledger has an entry of the release, so that a ledger error is about its update. */
export function describeRecorded(error: unknown): string {
  if (!isAboutLedger(error)) return describe(error);
  return 'The ledger could not be written a second time, so the release was not handed out.';
}

export function wasCancelled(error: unknown): boolean {
  if (isPackageError(error)) return error.code === 'cancelled';
  return error instanceof Error && error.name === 'AbortError';
}

/** Whether the data lack a column of the study, which matching can fix. */
export function lacksColumn(error: unknown): boolean {
  return isPackageError(error) && error.code === 'missing-column';
}

/** The columns that data without one of the study's have, where their own schema names them. */
export function columnsNamedBy(error: unknown): readonly string[] | undefined {
  return isPackageError(error) && error.code === 'missing-column' ? error.available : undefined;
}

/** Whether the page itself failed, not the data. */
export function isAboutPage(error: unknown): boolean {
  if (isPackageError(error)) {
    return ['worker-failed', 'core-unavailable', 'wrong-module'].includes(error.code);
  }
  return typeof WebAssembly === 'undefined';
}

/** The detail of `pm-study-refused`. */
export function refusalOf(error: unknown): StudyRefusedDetail {
  const code = isPackageError(error) ? error.code : 'internal';
  return { code, message: describe(error) };
}

/** Why a study cannot be opened; `detail` is for the person who made it. */
export function studyProblem(error: unknown): { title: string; body: string; detail: string } {
  const title = 'This study cannot be opened.';
  if (!isPackageError(error)) return { title, body: describe(error), detail: '' };
  const { code, field, message } = error;
  if (code === 'study-version' || code === 'session-version') {
    const what = code === 'study-version' ? 'study' : 'session';
    return {
      title: `This ${what} was made with another version.`,
      body: 'This page cannot read its format. Ask the sender for a new one.',
      detail: message,
    };
  }
  if (field === undefined || field === 'format' || !ABOUT_STUDY.includes(code)) {
    return { title, body: describe(error), detail: '' };
  }
  return {
    title: 'The study file is invalid.',
    body: 'It was not opened. Nothing is wrong with your computer or your data. Ask the sender for a corrected file.',
    detail: message,
  };
}

/** Whether the ledger failed, not the data. */
export function isAboutLedger(error: unknown): boolean {
  return isPackageError(error) && error.code.startsWith('ledger-');
}

/** Error codes about the contents of a study. */
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

/** Whether the ledger refused, for example after a release in another tab. */
export function isRefusal(error: unknown): boolean {
  return isPackageError(error) && REFUSALS.includes(error.code);
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
