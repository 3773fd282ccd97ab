import { PrivateMomentsError } from '../base/errors.js';
import { fromBase64, toBase64 } from '../base/binary.js';
import { parseSession, type Session } from './session.js';

const SAVED_FORMAT = 'private-moments/role@1';

/** The state of a role as text. It holds secrets and must not leave this machine. */
export function saveRole(role: string, session: Session, data: object): string {
  const content = { format: SAVED_FORMAT, role, session: session.toJSON(), data };
  return JSON.stringify(content, (_, value: unknown) => {
    if (value instanceof Uint8Array) return { $bytes: toBase64(value) };
    if (value instanceof Map) return { $map: [...(value as Map<string, unknown>)] };
    return value;
  });
}

/**
 * Reads what `saveRole` wrote.
 * @throws PrivateMomentsError `invalid-saved-role` if the text is not from such a role
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
  const message = `this is not the saved state of a ${role}`;
  throw new PrivateMomentsError('invalid-saved-role', message);
}
