// Links of studies, sessions and keys, damaged as people and chat programs damage them: does one open
// something else than what was sent?
import { defineStudy, studyFromLink } from 'private-moments';
import {
  createSession,
  keysToLink,
  newRoleKeys,
  parseKeys,
  sessionFromLink,
  sessionToLink,
} from 'private-moments/federation';

const PAGE = 'https://example.org/take-part.html';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const OTHERS = ['.', ' ', '%', '&', '=', '+', '/', '\n', '\u00ad', '\u200b', '–'];
/** The miniature tries one damage in this many. */
const QUICK_STEP = 40;

const number = (name, min, max) => ({ name, type: 'number', min, max });

const STUDIES = [
  { title: 'Sleep and mood', columns: [number('sleep', 0, 14), number('mood', 0, 10)] },
  { title: 'Blood', columns: [number('hdl', 0.5, 3), number('ldl', 1, 8), number('age', 18, 90)] },
  {
    title:
      'Questionnaire, second wave, with a long title that names every hospital that takes part',
    contact: 'study@example.org',
    columns: Array.from({ length: 20 }, (_, item) => number(`item ${item + 1}`, 0, 4)),
  },
  {
    title: 'Groups',
    columns: [
      { name: 'group', type: 'category', levels: ['control', 'drug', 'placebo'] },
      number('score', -3, 3),
    ],
  },
];
const SPLIT = { mode: 'split', sites: 5, honest: 3 };

/** Each kind of link: what it is, and how to read from it what people would work with. */
async function linksToDamage() {
  const privacy = { epsilon: 1, delta: 1e-6 };
  const studies = STUDIES.map((terms) => {
    const study = defineStudy({ ...terms, privacy });
    return { link: study.toLink(PAGE), read: (link) => studyFromLink(link).id };
  });
  const [collector, helper] = [await newRoleKeys('25519'), await newRoleKeys('25519')];
  const study = defineStudy({ ...STUDIES[0], privacy, federation: SPLIT });
  const session = createSession(study, { collector, helper });
  const readSession = (link) => {
    const found = sessionFromLink(link);
    return `${found.study.id} ${found.session.id}`;
  };
  return [
    ...studies,
    { link: sessionToLink(study, session, PAGE), read: readSession },
    { link: keysToLink(helper, PAGE), read: (link) => JSON.stringify(parseKeys(link)) },
  ];
}

/** Every damage of one character after the #, every cut, and what programs do to whole links. */
function* damages(link) {
  const start = link.indexOf('#') + 1;
  for (let at = start; at < link.length; at += 1) {
    const [before, own, after] = [link.slice(0, at), link[at], link.slice(at + 1)];
    yield before;
    yield before + after;
    yield before + own + own + after;
    yield before + (after[0] ?? '') + own + after.slice(1);
    yield before + (own === own.toLowerCase() ? own.toUpperCase() : own.toLowerCase()) + after;
    for (const character of [...ALPHABET, ...OTHERS]) {
      yield before + character + after;
      yield before + character + own + after;
    }
  }
  const [head, fragment] = [link.slice(0, start), link.slice(start)];
  yield head + fragment.toLowerCase();
  yield head + fragment.toUpperCase();
  yield head + fragment.replaceAll('&', '&amp;');
  yield head + encodeURIComponent(fragment);
  yield head + fragment.replaceAll('-', '–').replaceAll('_', '');
  yield head + fragment.replace(/.{76}/g, '$&=\n');
  yield head + fragment.replace(/.{76}/g, '$&\n> ');
  for (const end of ['.', ',', ')', '>', '…', '"', ' ']) yield link + end;
}

export const attack = {
  name: 'links',
  promise: 'A damaged link opens what was sent or nothing, never another study.',
  minutes: 10,
  async run({ quick, log }) {
    const numbers = { links: 0, damaged: 0, same: 0, others: 0 };
    for (const { link, read } of await linksToDamage()) {
      const sent = read(link);
      numbers.links += 1;
      let index = 0;
      for (const damaged of damages(link)) {
        index += 1;
        if (damaged === link || (quick && index % QUICK_STEP !== 0)) continue;
        numbers.damaged += 1;
        try {
          if (read(damaged) === sent) numbers.same += 1;
          else numbers.others += 1;
        } catch (error) {
          if (error.name !== 'PrivateMomentsError') throw error;
        }
      }
      log(`${link.length} characters: ${JSON.stringify(numbers)}`);
    }
    return numbers;
  },
  tried: (n) => `${n.damaged} damages of ${n.links} links`,
  found: (n) => `${n.others} opened something else`,
  holds: (n) => n.others === 0,
};
