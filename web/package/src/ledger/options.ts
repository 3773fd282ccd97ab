import { PrivateMomentsError } from '../base/errors.js';
import type { Ledger, Standing } from './ledger.js';
import { checkReadOptions, type InspectOptions } from '../intake/read-options.js';

/** Options for recording a release in a ledger. */
export interface LedgerOptions {
  /**
   * A ledger of `createLedger`. It records the release before it is made, and refuses it with
   * `over-budget` if it would exceed the budget of these data.
   */
  ledger?: Ledger | undefined;
  /**
   * With a ledger: the participant's name for the data set. All releases under one name count as releases
   * of the same data, even if the ledger cannot recognise them, such as those of a table that has grown.
   */
  dataSet?: string | undefined;
  /**
   * With a ledger: an earlier result of `ledger.standing`. If the data were released since then, for
   * example in another tab, the release is refused with `released-since`.
   */
  standing?: Pick<Standing, 'entries'> | undefined;
  /**
   * With a ledger: called with the id of the entry once it is recorded, before noise is drawn. A failure
   * after that may still count against the budget: look for the entry. If this throws, the entry is
   * withdrawn and nothing is released.
   */
  onEntry?: ((id: string) => void) | undefined;
}

export type PrivatizeOptions = InspectOptions & LedgerOptions;

export const LEDGER_OPTIONS: readonly string[] = ['ledger', 'dataSet', 'standing', 'onEntry'];

/**
 * @param extra names of other options, which the caller checks.
 * @throws PrivateMomentsError `unsupported-option`
 */
export function checkOptions(options: unknown, extra: readonly string[] = []): void {
  checkReadOptions(options, extra);
  const fields = options as Record<string, unknown>;
  if (fields.ledger !== undefined && !isLedger(fields.ledger)) {
    refuse('ledger must come from createLedger');
  }
  for (const name of LEDGER_OPTIONS) {
    if (fields[name] !== undefined && fields.ledger === undefined) refuse(`${name} needs a ledger`);
  }
  if (fields.standing !== undefined && !isStanding(fields.standing)) {
    refuse('standing must be a result of ledger.standing');
  }
  if (fields.onEntry !== undefined && typeof fields.onEntry !== 'function') {
    refuse('onEntry must be a function');
  }
}

/** Recognises a ledger by its method, because importing the class would be circular. */
function isLedger(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'gate' in value;
}

function isStanding(value: unknown): boolean {
  return Array.isArray((value as { entries?: unknown } | null)?.entries);
}

function refuse(message: string): never {
  throw new PrivateMomentsError('unsupported-option', message);
}
