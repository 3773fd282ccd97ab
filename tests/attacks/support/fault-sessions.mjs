// Whole sessions whose roles faults.mjs interrupts at every step. A role that failed is asked again, or
// restored from what it saved last, as after a crash.

import { newSession, sessionMessages } from './session-messages.mjs';

const WORDS = 3;

const MODES = {
  split: { mode: 'split', sites: 3, honest: 3 },
  ring: { mode: 'ring', sites: 4, honest: 3, threshold: 3 },
  correlated: { mode: 'correlated', sites: 3, honest: 3 },
};

/** Messages that a role may write once in a session, by type; of `deal` one for each recipient. */
const ONCE = [
  'masked',
  'seed',
  'masks',
  'join',
  'shares',
  'agree',
  'reveal',
  'roster',
  'survivors',
];

function wordsOf(site) {
  const seed = BigInt(site + 1);
  return [seed * 1_000_003n, -(seed ** 5n) << 30n, (seed << 52n) + 7n];
}

function bytesOf(words) {
  return new Uint8Array(BigUint64Array.from(words, (word) => BigInt.asUintN(64, word)).buffer);
}

/** Adds the key streams to a site's words, as the worker would; AES-CTR over zeros. */
function maskOf(site) {
  return async (seeds) => {
    const sum = wordsOf(site);
    for (const { key, sign } of seeds) {
      const algorithm = { name: 'AES-CTR', counter: new Uint8Array(16), length: 128 };
      const imported = await crypto.subtle.importKey('raw', key, 'AES-CTR', false, ['encrypt']);
      const stream = await crypto.subtle.encrypt(algorithm, imported, new Uint8Array(8 * WORDS));
      for (const [at, word] of new BigUint64Array(stream).entries()) sum[at] += word * BigInt(sign);
    }
    return { payload: bytesOf(sum), rows: 10 };
  };
}

function isOpen({ outcome, state }) {
  return outcome === null && state !== 'aborted';
}

/** A role, its name as the recipient of messages, and what it saved last. */
class Actor {
  constructor(name, role, restore) {
    Object.assign(this, { name, role, restore, saved: role.save() });
  }
}

/**
 * @param mode of MODES; `drops` names a phase of a participant after which it says nothing more
 * @param recovery what happens to a role whose call failed: `again` or `restored`
 */
export function sessionJob(mode, recovery, { drops = false } = {}) {
  const name = `a session of mode ${mode}${drops ? ' that one leaves' : ''}, roles ${recovery}`;
  return {
    name,
    isRepetitive: true,
    async run({ main, federation, attempt, isCoded, giveUp }) {
      const terms = MODES[mode];
      const study = main.defineStudy({
        title: 'T',
        columns: [{ name: 'a', type: 'number', min: 0, max: 1 }],
        privacy: { epsilon: 1, delta: 1e-6 },
        federation: terms,
      });
      const { session, own, helping } = await newSession(federation, study);
      const isSplit = helping !== null;
      const collecting = isSplit ? 'analyst' : 'coordinator';
      const collector = new Actor(
        collecting,
        await federation.createCollector(session, own),
        (saved) => federation.restoreCollector(saved),
      );
      const actors = [collector];
      if (isSplit) {
        const helper = await federation.createHelper(session, helping);
        actors.push(new Actor('helper', helper, (saved) => federation.restoreHelper(saved)));
      }
      const participants = [];
      for (let site = 0; site < terms.sites; site++) {
        const options = { mask: maskOf(site) };
        const role = await federation.createParticipant(session, options);
        const actor = new Actor(role.pid, role, (saved) =>
          federation.restoreParticipant(saved, options),
        );
        participants.push(actor);
      }
      actors.push(...participants);

      const problems = [];
      const written = new Map();
      const messages = sessionMessages(() => actors.map((actor) => actor.name));
      const gone = new Set();
      const note = (from, message) => {
        const { type } = federation.inspectMessage(message);
        if (!ONCE.includes(type)) return;
        const key = `${from} ${type}`;
        const text = Buffer.from(message).toString('base64');
        if ((written.get(key) ?? text) !== text) problems.push(`two different messages ${type}`);
        written.set(key, text);
      };
      const act = async (actor, call) => {
        let step;
        for (let turn = 0; step === undefined; turn++) {
          try {
            step = await call(actor.role);
            // A failure of keys looks like a wrong message, which changes nothing and can be sent again.
            if (step.refused !== null && step.state !== 'aborted' && turn < 2) step = undefined;
          } catch (error) {
            if (!isCoded(error)) problems.push(`an error without a code: ${error}`);
            if (turn === 2) throw error;
            if (recovery === 'restored') actor.role = actor.restore(actor.saved);
          }
        }
        if (step.refused !== null && step.state !== 'aborted')
          problems.push(`refused: ${step.refused.code}`);
        actor.saved = actor.role.save();
        for (const { message } of step.send) note(actor.name, message);
        messages.send(actor.name, step.send);
      };
      const deliver = () =>
        messages.deliver(async (name, message) => {
          const actor = actors.find((each) => each.name === name);
          if (gone.has(name)) return;
          await act(actor, (role) => role.receive(message));
          // It leaves after dealing its shares, so that its masks have to be recovered.
          if (drops && actor === participants[0] && actor.role.state === 'shared') gone.add(name);
        });
      const whole = async () => {
        for (const actor of participants) await act(actor, (role) => role.start());
        await deliver();
        for (let turn = 0; turn < 3 && isOpen(collector.role); turn++) {
          await act(collector, (role) => role.close());
          await deliver();
        }
      };
      const { isStuck, error } = await attempt(whole);
      if (isStuck) return ['it hangs'];
      if (error !== undefined) problems.push(`it fails: ${error.code ?? error.stack}`);
      const present = participants.filter(({ name: pid }) => !gone.has(pid));
      const { outcome, state } = collector.role;
      if (state === 'aborted' && actors.every(({ role }) => role.outcome === null)) {
        // The same in the last step, where the collector ends the session for everyone.
        giveUp();
        return [...new Set(problems)];
      }
      if (outcome === null) return [...problems, 'no sum'];
      const expected = Array(WORDS).fill(0n);
      for (const [site, { name: pid }] of participants.entries()) {
        if (!outcome.participants.includes(pid)) continue;
        for (const [at, word] of wordsOf(site).entries()) expected[at] += word;
      }
      if (outcome.participants.length !== present.length) problems.push('somebody is missing');
      if (Buffer.compare(outcome.total, bytesOf(expected)) !== 0) problems.push('a wrong sum');
      for (const { role } of present) {
        const total = role.outcome?.total;
        if (total === undefined) problems.push(`a participant ends as ${role.state}`);
        else if (Buffer.compare(total, outcome.total) !== 0) problems.push('two different sums');
      }
      return [...new Set(problems)];
    },
  };
}

export function sessionJobs() {
  return ['again', 'restored'].flatMap((recovery) => [
    ...Object.keys(MODES).map((mode) => sessionJob(mode, recovery)),
    sessionJob('ring', recovery, { drops: true }),
  ]);
}
