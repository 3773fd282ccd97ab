import { requireOptions } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Collector, CollectorOptions } from './collector.js';
import type { RoleKeys } from './keys.js';
import type { Mask, Participant, ParticipantOptions } from './participant.js';
import { RingCoordinator } from './ring-coordinator.js';
import { RingParticipant } from './ring-participant.js';
import { openRole } from './saved.js';
import { publicKeys, requireSession, type Session } from './session.js';
import { SplitAnalyst } from './split-analyst.js';
import { SplitHelper } from './split-helper.js';
import { SplitParticipant } from './split-participant.js';

const COLLECTOR_OPTIONS: readonly string[] = ['arithmetic'];

function requireMask(mask: unknown): void {
  if (typeof mask === 'function') return;
  const message = 'mask must be a function, such as the one from maskData';
  throw new PrivateMomentsError('unsupported-option', message, { field: 'mask' });
}

/** The role of a site with rows. @throws PrivateMomentsError `unsupported-suite` if the engine lacks the curves */
export async function createParticipant(
  session: Session,
  options: ParticipantOptions,
): Promise<Participant> {
  requireSession(session);
  requireOptions(options, ['mask', 'keys', 'confirm']);
  requireMask(options.mask);
  return session.mode === 'split'
    ? SplitParticipant.create(session, options)
    : RingParticipant.create(session, options);
}

/** Restores a participant from `save()`. @throws PrivateMomentsError `invalid-saved-role` */
export function restoreParticipant(saved: string, options: { mask: Mask }): Participant {
  requireOptions(options, ['mask']);
  requireMask(options.mask);
  const { session, data } = openRole('participant', saved);
  const role = session.mode === 'split' ? SplitParticipant : RingParticipant;
  return role.restore(session, data, options.mask);
}

/**
 * The collector, with the keys that the session names: the analyst of split, the coordinator of a ring.
 * @throws PrivateMomentsError `invalid-session` for other keys, `unsupported-suite`
 */
export async function createCollector(
  session: Session,
  keys: RoleKeys,
  options: CollectorOptions = {},
): Promise<Collector> {
  requireSession(session);
  publicKeys(keys);
  requireOptions(options, COLLECTOR_OPTIONS);
  const role = session.mode === 'split' ? SplitAnalyst : RingCoordinator;
  return role.create(session, keys, options);
}

/** Restores a collector from `save()`. @throws PrivateMomentsError `invalid-saved-role` */
export function restoreCollector(saved: string, options: CollectorOptions = {}): Collector {
  requireOptions(options, COLLECTOR_OPTIONS);
  const { session, data } = openRole('collector', saved);
  const role = session.mode === 'split' ? SplitAnalyst : RingCoordinator;
  return role.restore(session, data, options);
}

/** The helper of split, which adds up the masks. @throws PrivateMomentsError `invalid-session`, `unsupported-suite` */
export async function createHelper(
  session: Session,
  keys: RoleKeys,
  options: CollectorOptions = {},
): Promise<SplitHelper> {
  requireSession(session);
  publicKeys(keys);
  requireOptions(options, COLLECTOR_OPTIONS);
  return SplitHelper.create(session, keys, options);
}

/** Restores a helper from `save()`. @throws PrivateMomentsError `invalid-saved-role` */
export function restoreHelper(saved: string, options: CollectorOptions = {}): SplitHelper {
  requireOptions(options, COLLECTOR_OPTIONS);
  const { session, data } = openRole('helper', saved);
  return SplitHelper.restore(session, data, options);
}
