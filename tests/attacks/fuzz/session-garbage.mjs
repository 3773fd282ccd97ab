// Messages in bulk that belong to no session, are damaged, forged or repeated, given to the roles that
// collect: does each get a code, and does anything stay behind?
import { webcrypto } from 'node:crypto';
import { defineStudy } from 'private-moments';
import {
  createCollector,
  createHelper,
  createParticipant,
  createSession,
  newRoleKeys,
} from 'private-moments/federation';
import { seeded } from '../support/random.mjs';

const FULL = 100_000;
const QUICK = 2000;
/** What the process may grow by while it refuses messages, in MB. */
const MOST_GROWTH_MB = 100;

const TERMS = {
  title: 'Garbage',
  columns: [{ name: 'a', type: 'number', min: 0, max: 1 }],
  privacy: { epsilon: 1, delta: 1e-6 },
};
const WORDS = 3;

export const attack = {
  name: 'session-garbage',
  promise:
    'Whatever a collector or a helper is sent, each message is refused with a code, and nothing of it is kept.',
  minutes: 5,
  async run({ quick, seed, log }) {
    const random = seeded(seed);
    const count = quick ? QUICK : FULL;
    const numbers = {
      messages: 0,
      refused: 0,
      repeated: 0,
      codes: 0,
      unnamed: 0,
      changed: 0,
      growthMb: 0,
    };
    const codes = new Set();
    const targets = [await split(), await ring()].flat();
    const others = (await split()).flatMap(({ messages }) => messages);
    const before = process.memoryUsage().rss;
    for (const { role, messages } of targets) {
      const saved = role.save();
      for (let index = 0; index < count / targets.length; index += 1) {
        const garbage = garbageFrom(messages, others, random);
        numbers.messages += 1;
        const { refused, send } = await role.receive(garbage);
        if (refused === null) {
          // Only what it has taken before, perhaps under a damaged signature, gets its old answer.
          numbers.repeated += 1;
          if (!messages.some((message) => isSame(message, garbage))) numbers.changed += 1;
          continue;
        }
        numbers.refused += 1;
        codes.add(refused.code);
        if (!/^[a-z]+(-[a-z]+)+$/.test(refused.code) || send.length > 0) numbers.unnamed += 1;
      }
      if (role.save() !== saved) numbers.changed += 1;
      log(JSON.stringify(numbers));
    }
    numbers.codes = codes.size;
    numbers.growthMb = Math.max(0, Math.round((process.memoryUsage().rss - before) / 2 ** 20));
    return numbers;
  },
  tried: (n) => `${n.messages} damaged, forged, foreign and repeated messages to four roles`,
  found: (n) =>
    `${n.refused} refused with ${n.codes} codes, ${n.unnamed} without one, ${n.changed} changed a role, ${n.growthMb} MB more memory`,
  holds: (n) => n.unnamed + n.changed === 0 && n.refused > 0 && n.growthMb < MOST_GROWTH_MB,
};

/** An analyst and a helper who have all messages of their participants, and these messages. */
async function split() {
  const [collector, helper] = [await newRoleKeys('25519'), await newRoleKeys('25519')];
  const study = defineStudy({ ...TERMS, federation: { mode: 'split', sites: 3, honest: 3 } });
  const session = createSession(study, { collector, helper });
  const roles = {
    analyst: await createCollector(session, collector),
    helper: await createHelper(session, helper),
  };
  const sent = await firstMessages(session);
  for (const { to, message } of sent) await roles[to].receive(message);
  // Each is sent what is for the other, too.
  const messages = sent.map(({ message }) => message);
  return Object.values(roles).map((role) => ({ role, messages }));
}

/** A coordinator whose ring is complete, and one that still waits for members. */
async function ring() {
  const targets = [];
  for (const sites of [3, 4]) {
    const collector = await newRoleKeys('25519');
    const study = defineStudy({ ...TERMS, federation: { mode: 'ring', sites, honest: sites } });
    const session = createSession(study, { collector });
    const role = await createCollector(session, collector);
    const messages = (await firstMessages(session)).map(({ message }) => message);
    for (const message of messages) await role.receive(message);
    targets.push({ role, messages });
  }
  return targets;
}

async function firstMessages(session) {
  const sent = [];
  for (let site = 0; site < 3; site += 1) {
    const mask = () =>
      Promise.resolve({ payload: webcrypto.getRandomValues(new Uint8Array(8 * WORDS)), rows: 5 });
    const participant = await createParticipant(session, { mask });
    sent.push(...(await participant.start()).send);
  }
  return sent;
}

function garbageFrom(messages, others, random) {
  const below = (limit) => Math.floor(random() * limit);
  const own = messages[below(messages.length)].slice();
  switch (below(7)) {
    case 0:
      return own;
    case 1:
      return others[below(others.length)];
    case 2:
      return own.subarray(0, below(own.length));
    case 3: {
      const at = below(own.length);
      own[at] ^= 1 << below(8);
      return own;
    }
    case 4: {
      const at = below(own.length);
      own.fill(below(256), at, at + below(64));
      return own;
    }
    case 5: {
      const bytes = new Uint8Array(below(5000)).map(() => below(256));
      bytes.set([0x50, 0x4d, 0x52, 0x32].slice(0, bytes.length));
      return bytes;
    }
    default:
      return Uint8Array.from([...own, ...own]);
  }
}

/** Whether two messages are the same but for their signature, the last 64 bytes. */
function isSame(one, other) {
  return (
    one.length === other.length &&
    Buffer.compare(one.subarray(0, -64), other.subarray(0, -64)) === 0
  );
}
