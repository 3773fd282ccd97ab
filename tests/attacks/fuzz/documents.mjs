// Every one-bit flip and every truncation of releases, sums, studies and sessions, and damage to their
// JSON: keys twice, changed digits, exchanged bytes. What is still accepted must say the same as before;
// a study or a session may also have become another one, which its id shows.
import { defineStudy, parseRelease, parseStudy, parseSum, privatize } from 'private-moments';
import {
  createCollector,
  createHelper,
  createParticipant,
  createSession,
  maskData,
  newRoleKeys,
  parseSession,
  publicKeys,
  sumOf,
} from 'private-moments/federation';
import { damages } from '../support/damage.mjs';
import { sessionMessages } from '../support/session-messages.mjs';

/** The mechanisms of releases, each with the study's delta. */
const MECHANISMS = [
  ['gaussian', 1e-6],
  ['laplace', 0],
  ['frobenius', 0],
  ['wishart', 1e-6],
  ['two-sided-wishart', 0],
  ['eigenvector-sampling', 0],
  [{ name: 'ppca', components: 2 }, 0],
  [{ name: 'power-method', components: 2 }, 1e-6],
];
/** Number of rows in the data. */
const ROWS = 40;

function studyWith(mechanism, delta, more = {}) {
  return defineStudy({
    title: 'Sleep and mood',
    columns: [
      { name: 'age', type: 'number', min: 18, max: 90 },
      { name: 'sleep', type: 'number', min: 0, max: 12 },
      { name: 'work', type: 'category', levels: ['day', 'night'] },
    ],
    views: { person: ['age', 'work'], night: ['sleep'] },
    privacy: { epsilon: 1, delta },
    mechanism,
    ...more,
  });
}

function csv() {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    return [18 + ((i * 31) % 72), (i * 17) % 12, i % 3 === 0 ? 'night' : 'day'].join(',');
  });
  return `age,sleep,work\n${rows.join('\n')}\n`;
}

/** A session of three sites, and its sum. */
async function splitSession() {
  const study = studyWith('gaussian', 1e-6, {
    federation: { mode: 'split', sites: 3, honest: 2 },
  });
  const [keys, helping] = [await newRoleKeys('25519'), await newRoleKeys('25519')];
  const session = createSession(study, {
    collector: publicKeys(keys),
    helper: publicKeys(helping),
  });
  const collector = await createCollector(session, keys);
  const roles = new Map([
    ['analyst', collector],
    ['helper', await createHelper(session, helping)],
  ]);
  const messages = sessionMessages(() => [...roles.keys()]);
  for (let site = 0; site < 3; site++) {
    const participant = await createParticipant(session, { mask: maskData(study, csv()).mask });
    roles.set(participant.pid, participant);
    messages.send(participant.pid, (await participant.start()).send);
  }
  const receive = async (name, message) =>
    messages.send(name, (await roles.get(name).receive(message)).send);
  await messages.deliver(receive);
  if (collector.outcome === null) messages.send('analyst', (await collector.close()).send);
  await messages.deliver(receive);
  return { session, sum: await sumOf(study, collector) };
}

/** The documents as bytes, each with its reader. `id` names what it is, where that is all it states. */
async function documents() {
  const found = [];
  const add = (name, value, parse, id) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    found.push({ name, bytes, parse, id, said: JSON.stringify(parse(bytes)) });
  };
  for (const [mechanism, delta] of MECHANISMS) {
    const release = await privatize(studyWith(mechanism, delta), csv());
    add(`release, ${release.mechanism.name}`, release, parseRelease);
  }
  // A file's text has a replacement character for bytes that are not UTF-8.
  const textOf = (bytes) => new TextDecoder().decode(bytes);
  const idOf = ({ id }) => id;
  add('study', studyWith('gaussian', 1e-6), (bytes) => parseStudy(textOf(bytes)), idOf);
  const { session, sum } = await splitSession();
  add('session', session, (bytes) => parseSession(textOf(bytes)), idOf);
  add('sum', sum, parseSum);
  return found;
}

export const attack = {
  name: 'documents',
  promise:
    'A release, a sum, a study or a session that was damaged is refused, or says what it said before.',
  minutes: 10,
  async run({ quick, seed, log }) {
    const found = { documents: 0, cases: 0, refused: 0, same: 0, other: 0, changed: 0, uncoded: 0 };
    const stride = quick ? 97 : 1;
    for (const { name, bytes, parse, id, said } of await documents()) {
      found.documents += 1;
      let at = seed % stride;
      for (const damage of damages(bytes)) {
        if (at++ % stride !== 0) continue;
        found.cases += 1;
        try {
          const read = parse(damage());
          if (JSON.stringify(read) === said) found.same += 1;
          else if (id !== undefined && id(read) !== id(parse(bytes))) found.other += 1;
          else {
            found.changed += 1;
            log(`${name}, case ${at - 1}: read as something else`);
          }
        } catch (error) {
          const isCoded = typeof error.code === 'string' && error.code !== 'internal';
          found[isCoded ? 'refused' : 'uncoded'] += 1;
          if (!isCoded) log(`${name}, case ${at - 1}: ${error.stack}`);
        }
      }
    }
    return found;
  },
  tried: (n) =>
    `${n.cases.toLocaleString('en-US')} damaged copies of ${n.documents} documents, every one-bit flip and truncation among them`,
  found: (n) =>
    `${n.changed} read as something else unnoticed, ${n.uncoded} errors without a code; ${n.other.toLocaleString('en-US')} studies or sessions became others, with other ids`,
  holds: (n) => n.changed === 0 && n.uncoded === 0 && n.refused > 0,
};
