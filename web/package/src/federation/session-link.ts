import { canonicalJson } from '../base/canonical.js';
import { PrivateMomentsError } from '../base/errors.js';
import { MAX_LINK_CHARACTERS, pack, unpack } from '../base/link.js';
import { studyFromLink, type Study } from '../study/study.js';
import { parseSession, requireSessionOf, type Session } from './session.js';

const LINK_KEY = 'session';

/**
 * A study's link with a session of it behind: all a participant needs.
 * @throws PrivateMomentsError `wrong-study`, `invalid-session`, `invalid-link`, `link-too-large`
 */
export function sessionToLink(study: Study, session: Session, base: string | URL): string {
  requireSessionOf(study, session);
  const packed = pack(canonicalJson(session.toJSON()));
  if (packed.length <= MAX_LINK_CHARACTERS) return `${study.toLink(base)}&${LINK_KEY}=${packed}`;
  const message = 'the session lists too many keys for a link: send it as a file';
  throw new PrivateMomentsError('link-too-large', message);
}

/**
 * The inverse, for links of any origin: the session is one of the study.
 * @throws PrivateMomentsError as `studyFromLink`, and `wrong-study`, `session-version`, `invalid-session`
 */
export function sessionFromLink(link: string | URL): { study: Study; session: Session } {
  const study = studyFromLink(link);
  const text = String(link);
  const packed = new URLSearchParams(text.slice(text.indexOf('#') + 1)).get(LINK_KEY) ?? '';
  if (packed === '') {
    throw new PrivateMomentsError('invalid-link', 'the link carries a study and no session of it');
  }
  const session = parseSession(unpack(packed));
  requireSessionOf(study, session);
  return { study, session };
}
