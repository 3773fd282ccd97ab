import { PrivateMomentsError } from 'private-moments';

/**
 * What to tell a person about an error. A foreign error's message may quote data, so only its kind
 * is told.
 */
export function describe(error: unknown): string {
  if (error instanceof PrivateMomentsError) return sentence(error.message);
  const kind = error instanceof Error ? error.name : typeof error;
  return `Something failed unexpectedly (${kind}). Nothing left this computer.`;
}

export function wasCancelled(error: unknown): boolean {
  if (error instanceof PrivateMomentsError) return error.code === 'cancelled';
  return error instanceof Error && error.name === 'AbortError';
}

/** Whether the data lack a column of the study, which matching can mend. */
export function lacksColumn(error: unknown): boolean {
  return error instanceof PrivateMomentsError && error.code === 'missing-column';
}

/** Whether the ledger, not the data, is what failed. */
export function isAboutLedger(error: unknown): boolean {
  return error instanceof PrivateMomentsError && error.code.startsWith('ledger-');
}

/** Whether the ledger refused, as after a release in another tab. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof PrivateMomentsError &&
    (error.code === 'over-budget' || error.code === 'cannot-compose')
  );
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
