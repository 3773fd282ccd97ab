import { canonicalJson } from '../base/canonical.js';
import { PrivateMomentsError } from '../base/errors.js';
import { MAX_LINK_CHARACTERS, pack, unpack } from '../base/link.js';
import { studyFromLink, type Study } from '../study/study.js';
import { parseSession, requireSessionOf, type Session } from './session.js';

const LINK_KEY = 'session';

/**
 * A link with a study and a session of it, which is all a participant needs.
 * @throws PrivateMomentsError `wrong-study`, `invalid-session`, `invalid-link`, `link-too-large`
 */
export function sessionToLink(study: Study, session: Session, base: string | URL): string {
  requireSessionOf(study, session);
  const packed = pack(canonicalJson(session.toJSON()));
  if (packed.length <= MAX_LINK_CHARACTERS) return `${study.toLink(base)}&${LINK_KEY}=${packed}`;
  const message = 'the session lists too many keys for a link; send it as a file';
  throw new PrivateMomentsError('link-too-large', message);
}

/**
 * Reads a link from any source and checks that the session belongs to the study.
 * @throws PrivateMomentsError as `studyFromLink`, and `wrong-study`, `session-version`, `invalid-session`
 */
export function sessionFromLink(link: string | URL): { study: Study; session: Session } {
  const study = studyFromLink(link);
  const text = String(link);
  const packed = new URLSearchParams(text.slice(text.indexOf('#') + 1)).get(LINK_KEY) ?? '';
  if (packed === '') {
    throw new PrivateMomentsError('invalid-link', 'the link has a study but no session');
  }
  const session = parseSession(unpack(packed));
  requireSessionOf(study, session);
  return { study, session };
}
