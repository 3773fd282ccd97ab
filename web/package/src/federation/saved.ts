import { PrivateMomentsError } from '../base/errors.js';
import { fromBase64, toBase64 } from '../base/binary.js';
import { parseSession, type Session } from './session.js';

const SAVED_FORMAT = 'private-moments/role@1';

/** What a role is, as text. It holds secrets: it belongs on this machine and nowhere else. */
export function saveRole(role: string, session: Session, data: object): string {
  const content = { format: SAVED_FORMAT, role, session: session.toJSON(), data };
  return JSON.stringify(content, (_, value: unknown) => {
    if (value instanceof Uint8Array) return { $bytes: toBase64(value) };
    if (value instanceof Map) return { $map: [...(value as Map<string, unknown>)] };
    return value;
  });
}

/**
 * The inverse.
 * @throws PrivateMomentsError `invalid-saved-role` where the text is not that of this role.
 */
export function openRole(role: string, text: string): { session: Session; data: unknown } {
  let saved: { format?: unknown; role?: unknown; session?: unknown; data?: unknown } | null;
  try {
    saved = JSON.parse(text, (_, value: unknown) => {
      if (typeof value !== 'object' || value === null) return value;
      const { $bytes, $map } = value as { $bytes?: string; $map?: [string, unknown][] };
      if ($bytes !== undefined) return fromBase64($bytes);
      return $map === undefined ? value : new Map($map);
    }) as typeof saved;
  } catch {
    saved = null;
  }
  if (saved?.format === SAVED_FORMAT && saved.role === role) {
    return { session: parseSession(saved.session as object), data: saved.data };
  }
  const message = `this is not what a ${role} of a session saved`;
  throw new PrivateMomentsError('invalid-saved-role', message);
}
