import { describe, expect, it } from 'vitest';
import { inspectMessage } from '../../../web/package/src/federation/message.js';
import { type Outgoing, type Step } from '../../../web/package/src/federation/role.js';
import {
  createParticipant,
  restoreHelper,
  restoreParticipant,
} from '../../../web/package/src/federation/roles.js';
import { createSession } from '../../../web/package/src/federation/session.js';
import { concat, fromHex, hashOf } from '../../../web/package/src/base/binary.js';
import { commitmentOf } from '../../../web/package/src/federation/commitment.js';
import { pidOf, newSigningKeys, type KeyPair } from '../../../web/package/src/federation/keys.js';
import {
  closeBy,
  closeFor,
  expectSum,
  forged,
  insideOf,
  masking,
  packed,
  Post,
  readAs,
  roomOf,
  SPLIT,
  startAll,
  summed,
  sumOf,
  wordsOf,
  type Room,
  type RoomOptions,
  type Terms,
} from './federation-support.js';
import { failure } from '../support.js';

const RING = { mode: 'ring', sites: 5, honest: 4, threshold: 4 } as const;
/** A ring that cannot recover from dropouts. */
const WHOLE_RING = { mode: 'ring', sites: 3, honest: 3, threshold: 3 } as const;

const refusal = (step: Step | undefined): string | undefined => step?.refused?.code;

/** A ring in which all releases have been sent and none has arrived. */
async function released(
  terms: Terms,
  options?: RoomOptions,
): Promise<{ room: Room; post: Post; releases: Uint8Array[] }> {
  const room = await roomOf(terms, options);
  const post = new Post(room);
  for (const participant of room.participants) post.send((await participant.start()).send);
  const releases: Uint8Array[] = [];
  for (let item = post.queue.shift(); item !== undefined; item = post.queue.shift()) {
    if (inspectMessage(item.message).type === 'masked') releases.push(item.message);
    else await post.deliver(item);
  }
  return { room, post, releases };
}

const keysOf = (role: { save(): string }): KeyPair => insideOf(role).sign;

describe('too few releases', () => {
  it('split: the analyst cannot close, only abort', async () => {
    const room = await roomOf(SPLIT, { present: 2 });
    const post = new Post(room);
    await startAll(room, post);
    await failure(() => room.collector.close(), { code: 'too-few-releases', message: /2 .* 3/ });
    expect(room.collector.state).toBe('collecting');
    post.send((await room.collector.abort()).send, 'analyst');
    await post.run();
    for (const role of [room.collector, room.helper, ...room.participants]) {
      expect(role?.state).toBe('aborted');
      expect(role?.outcome).toBeNull();
      expect(role?.reason).toBe('session-aborted');
    }
    expect(room.helper?.seeds).toBe(0);
  });

  it('split: the helper answers only after more seeds have come', async () => {
    const room = await roomOf(SPLIT, { present: 4 });
    const post = new Post(room);
    const late: Outgoing[] = [];
    for (const participant of room.participants) {
      const { send } = await participant.start();
      post.send(send.filter(({ to }) => to === 'analyst'));
      late.push(...send.filter(({ to }) => to === 'helper'));
    }
    post.send(late.splice(0, 2));
    await post.run();
    await closeBy(room, post);
    expect(room.collector.state).toBe('collecting');
    expect(room.helper?.state).toBe('collecting');
    post.send(late);
    await post.run();
    await closeBy(room, post);
    expectSum(room, [0, 1, 2, 3]);
  });

  it('ring: no one is asked to unmask, and no one would answer', async () => {
    const { room, post, releases } = await released(RING);
    for (const message of releases.slice(0, 3)) await post.deliver({ to: 'coordinator', message });
    await failure(() => room.collector.close(), { code: 'too-few-releases' });
    const { group, dealers } = insideOf(room.collector);
    const asked = await forged(room.session, room.keys.sign, 'survivors', {
      group,
      survivors: dealers.slice(0, 3),
    });
    for (const pid of dealers.slice(0, 3)) {
      expect(refusal(await post.deliver({ to: pid, message: asked }))).toBe('too-few-releases');
    }
    post.send((await room.collector.abort()).send, 'coordinator');
    await post.run();
    for (const { state } of room.participants) expect(['aborted', 'left-out']).toContain(state);
  });
});

describe('a participant that drops out', () => {
  it('split, before its release or its seed arrives: it is left out of the sum', async () => {
    const room = await roomOf(SPLIT);
    const post = new Post(room);
    for (const [index, participant] of room.participants.entries()) {
      const { send } = await participant.start();
      post.send(send.filter(({ to }) => !(index === 1 && to === 'helper')));
      if (index === 3) post.queue.splice(-2, 1);
    }
    await post.run();
    await closeBy(room, post);
    expectSum(room, [0, 2, 4]);
    expect(room.participants[1]?.outcome).toEqual(room.collector.outcome);
  });

  it('ring, before its release: its masks are recovered from the shares', async () => {
    const { room, post, releases } = await released(RING);
    for (const message of releases.slice(0, 4)) await post.deliver({ to: 'coordinator', message });
    const missing = inspectMessage(releases[4] ?? new Uint8Array()).from;
    post.gone.add(missing);
    await closeBy(room, post);
    const others = [0, 1, 2, 3, 4].filter((index) => index !== room.indexOf(missing));
    expectSum(room, others);
  });

  it('ring, before sending shares: the others go on without it', async () => {
    const room = await roomOf(RING);
    const post = new Post(room);
    const gone = room.participants[2]?.pid ?? '';
    for (const participant of room.participants) post.send((await participant.start()).send);
    for (let item = post.queue.shift(); item !== undefined; item = post.queue.shift()) {
      const { type, from } = inspectMessage(item.message);
      if (type !== 'shares' || from !== gone) await post.deliver(item);
    }
    await closeBy(room, post);
    expectSum(room, [0, 1, 3, 4]);
    expect(room.participants[2]?.outcome).toEqual(room.collector.outcome);
  });

  it('ring, after its release and before unmasking: its release counts', async () => {
    const { room, post, releases } = await released(RING);
    for (const message of releases) await post.deliver({ to: 'coordinator', message });
    post.gone.add(room.participants[0]?.pid ?? '');
    await post.run();
    expectSum(room, [0, 1, 2, 3, 4]);
  });

  it('a ring without recovery waits, and can only abort', async () => {
    const { room, post, releases } = await released(WHOLE_RING);
    for (const message of releases.slice(1)) await post.deliver({ to: 'coordinator', message });
    await failure(() => room.collector.close(), { code: 'too-few-releases' });
    post.send((await room.collector.abort()).send, 'coordinator');
    await post.run();
    for (const { state } of room.participants) expect(state).toBe('aborted');
  });
});

describe('a participant that sends again', () => {
  it('the same message, even with another signature: nothing changes', async () => {
    for (const suite of ['25519', 'p256'] as const) {
      const room = await roomOf(SPLIT, { suite });
      const post = new Post(room);
      await startAll(room, post);
      const [first] = room.participants;
      for (const { to, message } of first?.resend() ?? []) {
        expect(refusal(await post.deliver({ to, message }))).toBeUndefined();
      }
      await closeBy(room, post);
      expect(room.collector.outcome?.total).toEqual(sumOf([0, 1, 2, 3, 4]));
    }
  });

  it('a different message: refused, and the first counts', async () => {
    const room = await roomOf(SPLIT);
    const post = new Post(room);
    await startAll(room, post);
    const [first] = room.participants;
    if (first === undefined) throw new Error('nobody is there');
    // The same keys, as if the same data were submitted twice.
    const again = await createParticipant(room.session, {
      keys: keysOf(first),
      mask: masking(7),
    });
    for (const { to, message } of (await again.start()).send) {
      const step = await post.deliver({ to, message });
      expect(step?.refused).toMatchObject({ code: 'message-changed', from: first.pid });
    }
    await closeBy(room, post);
    expect(room.collector.outcome?.total).toEqual(sumOf([0, 1, 2, 3, 4]));
  });

  it('a different message in a ring: refused, and the first counts', async () => {
    const { room, post, releases } = await released(RING);
    for (const message of releases.slice(1)) await post.deliver({ to: 'coordinator', message });
    const last = readAs(releases[4] ?? new Uint8Array(), 'masked');
    const owner = room.participants.find(({ pid }) => pid === last.pid);
    const payload = packed(wordsOf(9));
    const other = await forged(
      room.session,
      keysOf(owner ?? { save: () => '' }),
      'masked',
      { ...last.header, ...(await commitTo(payload)) },
      salted(payload),
      room.session.collector.seal,
    );
    expect(refusal(await post.deliver({ to: 'coordinator', message: other }))).toBe(
      'message-changed',
    );
    await post.deliver({ to: 'coordinator', message: releases[0] ?? new Uint8Array() });
    await post.run();
    expect(room.collector.outcome?.total).toEqual(sumOf([0, 1, 2, 3, 4]));
  });
});

/** A release after a salt of zeros, ready to be sealed, and its header. */
const SALT = new Uint8Array(32);
const salted = (payload: Uint8Array): Uint8Array => concat([SALT, payload]);
const commitTo = async (payload: Uint8Array): Promise<{ commitment: string }> => ({
  commitment: await commitmentOf(SALT, payload),
});

describe('a release that comes too late', () => {
  it('split: it is not opened, and the sum is over the others', async () => {
    const room = await roomOf(SPLIT);
    const post = new Post(room);
    const [last] = room.participants.slice(-1);
    if (last === undefined) throw new Error('nobody is there');
    post.gone.add(last.pid);
    await startAll(room, post);
    const late = (await last.start()).send;
    await closeBy(room, post);
    for (const { to, message } of late) {
      expect(refusal(await post.deliver({ to, message }))).toBe('message-late');
    }
    expect(room.collector.outcome?.total).toEqual(sumOf([0, 1, 2, 3]));
  });

  it('ring: it is not opened, its sender is notified, and its self mask is not removed', async () => {
    const { room, post, releases } = await released(RING);
    for (const message of releases.slice(1)) await post.deliver({ to: 'coordinator', message });
    await closeBy(room, post);
    const [late = new Uint8Array()] = releases;
    expect(refusal(await post.deliver({ to: 'coordinator', message: late }))).toBe('message-late');
    const { from } = inspectMessage(late);
    expect(room.participants[room.indexOf(from)]?.outcome?.participants).not.toContain(from);
    // The others revealed shares of its key, but none of its self mask.
    expect(summed(room)).not.toContain(room.indexOf(from));
  });

  it('ring: a participant that receives the set before sending does not send', async () => {
    const room = await roomOf(RING);
    const post = new Post(room);
    const slow = room.participants[1]?.pid ?? '';
    const kept: Uint8Array[] = [];
    for (const participant of room.participants) post.send((await participant.start()).send);
    for (let item = post.queue.shift(); item !== undefined; item = post.queue.shift()) {
      if (item.to === slow && inspectMessage(item.message).type === 'deal') kept.push(item.message);
      else await post.deliver(item);
    }
    post.send((await room.collector.close()).send, 'coordinator');
    for (const item of post.queue.filter(({ to }) => to === slow)) await post.deliver(item);
    expect(room.participants[1]?.state).toBe('left-out');
    expect(kept.length).toBe(1);
    for (const message of kept) {
      expect((await post.deliver({ to: slow, message }))?.send).toEqual([]);
    }
    expect(room.calls[1]).toEqual([]);
    await post.run();
    expect(summed(room)).toEqual([0, 2, 3, 4]);
    expect(room.participants[1]?.outcome).toEqual(room.collector.outcome);
  });
});

describe('a message that was tampered with', () => {
  it('is refused whichever bit was changed, and changes nothing', async () => {
    const room = await roomOf(SPLIT);
    const [first] = room.participants;
    const release = (await first?.start())?.send[0]?.message ?? new Uint8Array();
    for (let at = 0; at < 8 * release.length; at += 37) {
      const changed = release.slice();
      changed[at >> 3] = (changed[at >> 3] ?? 0) ^ (1 << (at & 7));
      const step = await room.collector.receive(changed);
      expect(step.refused, `bit ${at}`).not.toBeNull();
      expect(step.send).toEqual([]);
    }
    for (const length of [0, 3, 8, 71, 200, release.length - 1]) {
      expect((await room.collector.receive(release.slice(0, length))).refused).not.toBeNull();
    }
    expect((await room.collector.receive(release)).refused).toBeNull();
    expect(room.collector.progress.have).toBe(1);
  });

  it('a release that does not match its commitment, or has the wrong length, gets a specific code', async () => {
    const room = await roomOf(SPLIT);
    const keys = await newSigningKeys('25519');
    const payload = packed(wordsOf(0));
    const send = (contents: Uint8Array, commitment: string): Promise<Uint8Array> =>
      forged(
        room.session,
        keys,
        'masked',
        { commitment, rows: 1 },
        contents,
        room.session.collector.seal,
      );
    const wrong = await send(salted(payload), (await commitTo(packed(wordsOf(1)))).commitment);
    expect((await room.collector.receive(wrong)).refused).toMatchObject({
      code: 'wrong-commitment',
      from: pidOf(keys.public),
    });
    const { commitment } = await commitTo(payload);
    const resalted = salted(payload);
    resalted[0] = 1;
    const other = await room.collector.receive(await send(resalted, commitment));
    expect(refusal(other)).toBe('wrong-commitment');
    for (const short of [salted(payload.subarray(8)), payload, new Uint8Array(3)]) {
      const shorter = await room.collector.receive(await send(short, commitment));
      expect(refusal(shorter)).toBe('wrong-length');
    }
    const unsealed = await forged(
      room.session,
      keys,
      'masked',
      { commitment, rows: 1 },
      salted(payload),
    );
    expect(refusal(await room.collector.receive(unsealed))).toBe('seal-broken');
    expect(room.collector.progress.have).toBe(0);
  });

  it('a sealed payload with another header does not open', async () => {
    const room = await roomOf(SPLIT);
    const [honest] = room.participants;
    const release = (await honest?.start())?.send[0]?.message ?? new Uint8Array();
    const { header, payload } = readAs(release, 'masked');
    const thief = await newSigningKeys('25519');
    const { commitment, rows } = header;
    const stolen = await forged(room.session, thief, 'masked', { commitment, rows }, payload);
    expect(refusal(await room.collector.receive(stolen))).toBe('seal-broken');
  });

  it('ring: shares changed on their way stop their receiver, and no sum is wrong', async () => {
    const room = await roomOf(RING);
    const post = new Post(room);
    const victim = room.participants[0]?.pid ?? '';
    for (const participant of room.participants) post.send((await participant.start()).send);
    for (let item = post.queue.shift(); item !== undefined; item = post.queue.shift()) {
      if (item.to === victim && inspectMessage(item.message).type === 'deal') {
        const { header, payload } = readAs(item.message, 'deal');
        const other = payload.slice();
        other[5] = (other[5] ?? 0) ^ 1;
        const { roster, dealers } = header;
        const message = await forged(
          room.session,
          room.keys.sign,
          'deal',
          { roster, dealers },
          other,
        );
        expect(refusal(await post.deliver({ to: victim, message }))).toBe('seal-broken');
        continue;
      }
      await post.deliver(item);
    }
    await closeBy(room, post);
    expectSum(room, [1, 2, 3, 4]);
  });

  it('ring: a member that reveals wrong shares prevents the sum but cannot falsify it', async () => {
    const { room, post, releases } = await released(RING);
    for (const message of releases) await post.deliver({ to: 'coordinator', message });
    const liar = room.participants[3];
    let lied = false;
    for (let item = post.queue.shift(); item !== undefined; item = post.queue.shift()) {
      const { type, from } = inspectMessage(item.message);
      if (type === 'reveal' && from === liar?.pid) {
        const { group, survivors } = readAs(item.message, 'reveal').header;
        const shares = Uint8Array.from({ length: 33 * 5 }, (_, at) => (at % 33 === 32 ? 200 : at));
        item.message = await forged(
          room.session,
          keysOf(liar),
          'reveal',
          { group, survivors },
          shares,
          room.session.collector.seal,
        );
        await post.deliver(item);
        lied = true;
        continue;
      }
      if (type === 'reveal' && !lied) post.queue.push(item);
      else await post.deliver(item);
    }
    expect(room.collector.state).toBe('aborted');
    expect(room.collector.reason).toBe('wrong-share');
    expect(room.collector.outcome).toBeNull();
    for (const { state } of room.participants) expect(state).toBe('aborted');
  });
});

describe('an equivocating coordinator', () => {
  it('that sends two different rosters gets releases whose masks do not cancel', async () => {
    const room = await roomOf(WHOLE_RING);
    const other = await createParticipant(room.session, { mask: masking(9) });
    const joins = new Map<string, Uint8Array>();
    for (const participant of [...room.participants, other]) {
      const [join] = (await participant.start()).send;
      joins.set(participant.pid, join?.message ?? new Uint8Array());
    }
    const rosterOf = async (pids: string[]): Promise<Uint8Array> => {
      const parts = pids.sort().map((pid) => joins.get(pid) ?? new Uint8Array());
      const contents = { joins: parts.map(({ length }) => length) };
      return forged(room.session, room.keys.sign, 'roster', contents, concat(parts));
    };
    const [a, b, c] = room.participants;
    if (a === undefined || b === undefined || c === undefined) throw new Error('nobody is there');
    const one = await rosterOf([a.pid, b.pid, c.pid]);
    const two = await rosterOf([a.pid, b.pid, other.pid]);
    const toA = await a.receive(one);
    const toB = await b.receive(two);
    expect(a.roster?.fingerprint).not.toBe(b.roster?.fingerprint);
    const groups = [toA, toB].map(
      ({ send }) => readAs(send[0]?.message ?? new Uint8Array(), 'masked').header.group,
    );
    expect(groups[0]).not.toBe(groups[1]);
    // The two agree on keys, but on different masks.
    const keys = room.calls
      .slice(0, 2)
      .map((calls) => calls[0]?.map(({ key }) => hashOf(key)) ?? []);
    expect(keys[0]?.length).toBe(2);
    expect(keys[0]?.filter((key) => keys[1]?.includes(key))).toEqual([]);
    // A participant that receives a second roster keeps the evidence.
    const step = await a.receive(two);
    expect(step.refused).toMatchObject({ code: 'message-changed', evidence: [one, two] });
  });

  it('that sends two sets of dealers gets masks that do not cancel, or no answers', async () => {
    const room = await roomOf({ mode: 'ring', sites: 4, honest: 3, threshold: 3 });
    const post = new Post(room);
    for (const participant of room.participants) post.send((await participant.start()).send);
    const groups = new Set<string>();
    const dropped = room.participants[3]?.pid ?? '';
    for (let item = post.queue.shift(); item !== undefined; item = post.queue.shift()) {
      const { type } = inspectMessage(item.message);
      if (type === 'deal' && item.to === room.participants[0]?.pid) {
        // One receives a set of dealers without the last.
        const { header, payload } = readAs(item.message, 'deal');
        const dealers = header.dealers.filter((pid) => pid !== dropped);
        const others = header.dealers.filter((pid) => pid !== item.to);
        const at = others.indexOf(dropped) * 82;
        const without = concat([payload.subarray(0, at), payload.subarray(at + 82)]);
        const { roster } = header;
        item.message = await forged(
          room.session,
          room.keys.sign,
          'deal',
          { roster, dealers },
          without,
        );
      }
      if (type === 'masked') groups.add(readAs(item.message, 'masked').header.group ?? '');
      else await post.deliver(item);
    }
    expect(groups.size).toBe(2);
  });

  it('that asks for two sets gets one answer, and the participant has the evidence', async () => {
    const { room, post, releases } = await released(RING);
    for (const message of releases) await post.deliver({ to: 'coordinator', message });
    const [asked] = post.queue;
    const { group, survivors } = readAs(asked?.message ?? new Uint8Array(), 'survivors').header;
    const [pid = ''] = survivors;
    const second = await forged(room.session, room.keys.sign, 'survivors', {
      group,
      survivors: survivors.slice(0, 4),
    });
    await post.run();
    expect(room.collector.state).toBe('done');
    // Before the end of the session it is refused with evidence; afterwards nothing is answered.
    expect((await post.deliver({ to: pid, message: second }))?.send).toEqual([]);
    const fresh = await released(RING);
    for (const message of fresh.releases) await fresh.post.deliver({ to: 'coordinator', message });
    const first = fresh.post.queue[0]?.message ?? new Uint8Array();
    const { header } = readAs(first, 'survivors');
    const to = header.survivors[0] ?? '';
    await fresh.post.deliver({ to, message: first });
    const two = await forged(fresh.room.session, fresh.room.keys.sign, 'survivors', {
      group: header.group,
      survivors: header.survivors.slice(0, 4),
    });
    const step = await fresh.post.deliver({ to, message: two });
    expect(step?.refused).toMatchObject({ code: 'second-set', evidence: [first, two] });
    expect(step?.send).toEqual([]);
  });

  it('that does not show enough signatures of the set gets no share', async () => {
    const { room, post, releases } = await released(RING);
    for (const message of releases) await post.deliver({ to: 'coordinator', message });
    const agrees: Uint8Array[] = [];
    for (let item = post.queue.shift(); item !== undefined; item = post.queue.shift()) {
      if (inspectMessage(item.message).type === 'agree') agrees.push(item.message);
      else await post.deliver(item);
    }
    expect(agrees.length).toBe(5);
    const { group, survivors } = readAs(agrees[0] ?? new Uint8Array(), 'agree').header;
    const bundle = (parts: Uint8Array[]): Promise<Uint8Array> =>
      forged(
        room.session,
        room.keys.sign,
        'agreed',
        { group, survivors, agrees: parts.map(({ length }) => length) },
        concat(parts),
      );
    const [to = ''] = room.participants.map(({ pid }) => pid);
    const [one = new Uint8Array(), two = one, three = one] = agrees;
    const few = await post.deliver({ to, message: await bundle([one, two, three]) });
    expect(refusal(few)).toBe('too-few-releases');
    const twice = await post.deliver({ to, message: await bundle([one, two, three, three]) });
    expect(refusal(twice)).toBe('too-few-releases');
    const stranger = await newSigningKeys('25519');
    const forgedAgree = await forged(room.session, stranger, 'agree', { group, survivors });
    const stuffed = await bundle([one, two, three, forgedAgree]);
    expect(refusal(await post.deliver({ to, message: stuffed }))).toBe('too-few-releases');
    const other = await forged(
      room.session,
      keysOf(room.participants[1] ?? room.collector),
      'agree',
      {
        group,
        survivors: hashOf('another set'),
      },
    );
    const renamed = await forged(room.session, room.keys.sign, 'agreed', {
      group,
      survivors: hashOf('another set'),
      agrees: [],
    });
    expect(refusal(await post.deliver({ to, message: renamed }))).toBe('second-set');
    const mixed = await bundle([one, two, three, other]);
    expect(refusal(await post.deliver({ to, message: mixed }))).toBe('second-set');
    const enough = await post.deliver({ to, message: await bundle(agrees.slice(0, 4)) });
    expect(refusal(enough)).toBeUndefined();
    expect(inspectMessage(enough?.send[0]?.message ?? new Uint8Array()).type).toBe('reveal');
  });

  it('that states a result over another set than agreed is refused', async () => {
    const { room, post, releases } = await released(WHOLE_RING);
    expect(releases.length).toBe(3);
    const strangers = [1, 2, 3].map((index) => hashOf(`nobody ${index}`)).sort();
    const made = concat([...strangers.map(fromHex), sumOf([0, 1, 2])]);
    const message = await forged(
      room.session,
      room.keys.sign,
      'result',
      { releases: 3, rows: 3 },
      made,
    );
    const [to = ''] = room.participants.map(({ pid }) => pid);
    expect(refusal(await post.deliver({ to, message }))).toBe('wrong-roster');
  });
});

describe('a roster', () => {
  it('with other keys for its reader is refused', async () => {
    const room = await roomOf(WHOLE_RING);
    const joins: Uint8Array[] = [];
    for (const participant of room.participants) {
      joins.push((await participant.start()).send[0]?.message ?? new Uint8Array());
    }
    // The coordinator tries to be in the middle: same participant, its own key. It cannot sign that.
    const [victim] = room.participants;
    if (victim === undefined) throw new Error('nobody is there');
    const again = await createParticipant(room.session, {
      keys: keysOf(victim),
      mask: masking(0),
    });
    joins[0] = (await again.start()).send[0]?.message ?? new Uint8Array();
    joins.sort((a, b) => (inspectMessage(a).from < inspectMessage(b).from ? -1 : 1));
    const contents = { joins: joins.map(({ length }) => length) };
    const roster = await forged(room.session, room.keys.sign, 'roster', contents, concat(joins));
    expect(refusal(await victim.receive(roster))).toBe('wrong-roster');
    expect(victim.state).toBe('joined');
  });

  it('that is unsorted, repeats a member, has too few, or has an unsigned join is refused', async () => {
    const room = await roomOf(RING);
    const joins: Uint8Array[] = [];
    for (const participant of room.participants) {
      joins.push((await participant.start()).send[0]?.message ?? new Uint8Array());
    }
    joins.sort((a, b) => (inspectMessage(a).from < inspectMessage(b).from ? -1 : 1));
    const [reader] = room.participants;
    const offer = async (parts: Uint8Array[]): Promise<string | undefined> => {
      const contents = { joins: parts.map(({ length }) => length) };
      const roster = await forged(room.session, room.keys.sign, 'roster', contents, concat(parts));
      return refusal(await reader?.receive(roster));
    };
    const [a = new Uint8Array(), b = a, c = a, d = a, e = a] = joins;
    expect(await offer([a, b, c])).toBe('wrong-roster');
    expect(await offer([b, a, c, d, e])).toBe('wrong-roster');
    expect(await offer([a, a, b, c, d])).toBe('wrong-roster');
    const unsigned = b.slice();
    unsigned.set([1, 2, 3], unsigned.length - 20);
    expect(await offer([a, unsigned, c, d, e])).toBe('bad-signature');
    expect(reader?.state).toBe('joined');
    expect(await offer([a, b, c, d, e])).toBeUndefined();
  });

  it('does not include a stranger, or someone who is not on the list', async () => {
    const known = await Promise.all([1, 2, 3].map(() => newSigningKeys('25519')));
    const room = await roomOf(WHOLE_RING, {
      session: { allow: known.map((keys) => keys.public) },
      participant: (index) => (index < 2 ? { keys: known[index] ?? known[0] } : {}) as object,
    });
    const steps: (string | undefined)[] = [];
    for (const participant of room.participants) {
      const [join] = (await participant.start()).send;
      steps.push(refusal(await room.collector.receive(join?.message ?? new Uint8Array())));
    }
    expect(steps).toEqual([undefined, undefined, 'unknown-participant']);
  });

  it('does not include a key that is not a point, or that another member has', async () => {
    const room = await roomOf(WHOLE_RING);
    const [first] = room.participants;
    const [join] = (await first?.start())?.send ?? [];
    const bytes = join?.message ?? new Uint8Array();
    expect(refusal(await room.collector.receive(bytes))).toBeUndefined();
    const { mask } = readAs(bytes, 'join').header;
    const zero = `x25519:${'A'.repeat(43)}`;
    for (const key of [mask, zero, 'x25519:AAAA']) {
      const thief = await newSigningKeys('25519');
      const message = await forged(room.session, thief, 'join', { mask: key });
      expect(refusal(await room.collector.receive(message))).toBe('message-unreadable');
    }
    expect(room.collector.progress.have).toBe(1);
  });

  it('does not include more members than the session has sites', async () => {
    const room = await roomOf(RING);
    const post = new Post(room);
    await startAll(room, post);
    const late = await createParticipant(room.session, { mask: masking(6) });
    const [join] = (await late.start()).send;
    const step = await room.collector.receive(join?.message ?? new Uint8Array());
    expect(refusal(step)).toBe('message-late');
    const full = await roomOf(SPLIT);
    const carrier = new Post(full);
    await startAll(full, carrier);
    const sixth = await createParticipant(full.session, { mask: masking(6) });
    for (const { to, message } of (await sixth.start()).send) {
      expect(refusal(await carrier.deliver({ to, message }))).toBe('too-many-participants');
    }
  });

  it('gets no answer from a participant that waits for confirmation', async () => {
    const room = await roomOf(WHOLE_RING, { participant: () => ({ confirm: true }) });
    const post = new Post(room);
    await startAll(room, post);
    const words = new Set(room.participants.map(({ roster }) => roster?.fingerprint));
    expect(words.size).toBe(1);
    expect([...words][0]).toMatch(/^([a-z]+ ){5}[a-z]+$/);
    for (const [index, participant] of room.participants.entries()) {
      expect(participant.state).toBe('roster');
      expect(room.calls[index]).toEqual([]);
      post.send((await participant.accept()).send);
    }
    await post.run();
    expect(room.collector.outcome?.total).toEqual(sumOf([0, 1, 2]));
  });
});

describe('messages', () => {
  it('of a wrong study, session or attempt are refused by everyone', async () => {
    const room = await roomOf(SPLIT);
    const again = createSession(room.study, {
      collector: room.keys,
      ...(room.helperKeys === undefined ? {} : { helper: room.helperKeys }),
      attempt: 2,
    });
    expect(again.id).not.toBe(room.session.id);
    const stranger = await createParticipant(again, { mask: masking(0) });
    for (const { to, message } of (await stranger.start()).send) {
      const role = to === 'analyst' ? room.collector : room.helper;
      expect(refusal(await role?.receive(message))).toBe('wrong-session');
    }
  });

  it('are refused once the session has ended', async () => {
    for (const terms of [SPLIT, RING]) {
      const room = await roomOf(terms);
      const post = new Post(room);
      for (const participant of room.participants) await participant.start();
      post.send((await room.collector.abort()).send);
      await post.run();
      const made = concat([
        ...room.participants
          .map(({ pid }) => pid)
          .sort()
          .map(fromHex),
        sumOf([]),
      ]);
      const contents = { releases: 5, rows: 5 };
      const result = await forged(room.session, room.keys.sign, 'result', contents, made);
      for (const participant of room.participants) {
        expect(refusal(await participant.receive(result))).toBe('session-ended');
        expect(participant.outcome).toBeNull();
      }
      const [late] = room.participants[0]?.resend() ?? [];
      const step = await room.collector.receive(late?.message ?? new Uint8Array());
      expect(refusal(step)).toMatch(/session-ended|unknown-participant/);
    }
  });

  it('for another role or from a wrong sender are refused', async () => {
    const room = await roomOf(RING);
    const [first, second] = room.participants;
    const [join] = (await first?.start())?.send ?? [];
    const bytes = join?.message ?? new Uint8Array();
    expect(refusal(await second?.receive(bytes))).toBe('wrong-sender');
    const toItself = await forged(room.session, room.keys.sign, 'abort', { reason: 'none' });
    expect(refusal(await room.collector.receive(toItself))).toBe('unknown-participant');
    const odd = await forged(room.session, room.keys.sign, 'close', { releases: 0 });
    expect(refusal(await second?.receive(odd))).toBe('wrong-recipient');
  });
});

describe('an impossible sum', () => {
  const most = Math.floor(Number.MAX_SAFE_INTEGER / 5);
  const statingTooManyRows: RoomOptions = {
    participant: (index) => ({
      mask: async (seeds) => ({
        ...(await masking(index)(seeds)),
        rows: index === 1 ? most + 1 : most,
      }),
    }),
  };

  it('of rows cannot be: who states too many is refused by name, and the others go on', async () => {
    const room = await roomOf(SPLIT, statingTooManyRows);
    const post = new Post(room);
    await startAll(room, post);
    await closeBy(room, post);
    expect(post.delivered.flatMap(({ step }) => step.refused ?? [])).toMatchObject([
      { code: 'too-many-rows', from: room.participants[1]?.pid },
    ]);
    expectSum(room, [0, 2, 3, 4]);
    expect(room.collector.outcome?.rows).toBe(4 * most);
  });

  it('of rows cannot be in a ring either', async () => {
    const room = await roomOf(RING, statingTooManyRows);
    const post = new Post(room);
    await startAll(room, post);
    expect(post.delivered.flatMap(({ step }) => step.refused ?? [])).toMatchObject([
      { code: 'too-many-rows', from: room.participants[1]?.pid },
    ]);
  });

  it('of numbers beyond 2^62, as with masks left on, is not sent to anyone', async () => {
    for (const word of [1n << 62n, -(1n << 62n) - 1n, (1n << 63n) - 1n]) {
      const { room, post, releases } = await released(WHOLE_RING, {
        participant: (index) => ({
          mask: async (seeds) => {
            const { payload, rows } = await masking(index)(seeds);
            const words = new BigUint64Array(payload.slice().buffer);
            const all = [0, 1, 2].reduce((sum, other) => sum + (wordsOf(other)[1] ?? 0n), 0n);
            if (index === 0) words[1] = BigInt.asUintN(64, (words[1] ?? 0n) - all + word);
            return { payload: new Uint8Array(words.buffer), rows };
          },
        }),
      });
      for (const message of releases) await post.deliver({ to: 'coordinator', message });
      expect(room.collector.reason, String(word)).toBe('sum-overflow');
      expect(room.collector.outcome).toBeNull();
    }
  });
});

describe('an analyst that asks the helper for more than one sum', () => {
  it('of a single participant, or of too few: gets none', async () => {
    const room = await roomOf(SPLIT);
    const post = new Post(room);
    await startAll(room, post);
    for (const count of [0, 1, 2]) {
      const step = await room.helper?.receive(await closeFor(room, count));
      const [answer] = step?.send ?? [];
      expect(inspectMessage(answer?.message ?? new Uint8Array()).type).toBe('short');
      expect(answer?.message.length).toBeLessThan(600);
    }
    expect(room.helper?.seeds).toBe(5);
  });

  it('of two nested sets: gets the first, even repeatedly, and never the second', async () => {
    const room = await roomOf(SPLIT);
    const post = new Post(room);
    await startAll(room, post);
    const first = await closeFor(room, 4);
    const second = await closeFor(room, 5);
    const answer = await room.helper?.receive(first);
    expect(answer?.refused).toBeNull();
    expect((await room.helper?.receive(first))?.send).toEqual(answer?.send);
    const step = await room.helper?.receive(second);
    expect(step?.refused).toMatchObject({ code: 'second-set', evidence: [first, second] });
    expect(step?.send).toEqual([]);
    // Nor after a restart.
    const restored = restoreHelper(room.helper?.save() ?? '');
    expect(refusal(await restored.receive(second))).toBe('second-set');
    expect(restored.seeds).toBe(0);
  });

  it('of releases that were not sent, under real pids: gets the sum without these', async () => {
    const room = await roomOf(SPLIT);
    const post = new Post(room);
    await startAll(room, post);
    const made = await closeFor(room, 5, hashOf('another release'));
    const [answer] = (await room.helper?.receive(made))?.send ?? [];
    expect(readAs(answer?.message ?? new Uint8Array(), 'masks').header.releases).toBe(4);
  });
});

describe('a helper that does not answer what it was asked', () => {
  it('with too few, with strangers, or about another list: is refused', async () => {
    const room = await roomOf(SPLIT);
    await startAll(room, new Post(room));
    const [close] = (await room.collector.close()).send;
    const asked = hashOf((close?.message ?? new Uint8Array()).subarray(0, -64));
    const all = room.participants.map(({ pid }) => pid).sort();
    const answer = (pids: string[], about: string): Promise<Uint8Array> =>
      forged(
        room.session,
        (room.helperKeys ?? room.keys).sign,
        'masks',
        { releases: pids.length, close: about },
        concat([...pids.map(fromHex), sumOf([])]),
        room.session.collector.seal,
      );
    const strange = [...all.slice(0, 3), 'ff'.repeat(32)];
    for (const [pids, about, code] of [
      [all.slice(0, 2), asked, 'too-few-releases'],
      [strange, asked, 'unknown-participant'],
      [[...all].reverse(), asked, 'message-unreadable'],
      [all, hashOf('another list'), 'wrong-roster'],
    ] as const) {
      const step = await room.collector.receive(await answer([...pids], about));
      expect(refusal(step)).toBe(code);
      expect(room.collector.state).toBe('closed');
    }
    const right = await room.helper?.receive(close?.message ?? new Uint8Array());
    await room.collector.receive(right?.send[0]?.message ?? new Uint8Array());
    expect(room.collector.outcome?.total).toEqual(sumOf([0, 1, 2, 3, 4]));
  });
});

describe('a tab that is closed', () => {
  it('goes on from any state', async () => {
    const room = await roomOf(RING);
    const post = new Post(room);
    for (const participant of room.participants) post.send((await participant.start()).send);
    for (let item = post.queue.shift(); item !== undefined; item = post.queue.shift()) {
      const index = room.indexOf(item.to);
      const before = room.participants[index];
      if (before === undefined) {
        await post.deliver(item);
        continue;
      }
      const role = restoreParticipant(before.save(), { mask: masking(index, room.calls[index]) });
      room.participants[index] = role;
      post.send((await role.receive(item.message)).send);
    }
    expect(room.collector.outcome?.total).toEqual(sumOf([0, 1, 2, 3, 4]));
    for (const { state } of room.participants) expect(state).toBe('done');
    for (const calls of room.calls) expect(calls.length).toBe(1);
  });

  it('is not mistaken for another role', async () => {
    const room = await roomOf(SPLIT);
    const saved = room.collector.save();
    await failure(() => restoreHelper(saved), { code: 'invalid-saved-role' });
    await failure(() => restoreHelper('{"format":'), { code: 'invalid-saved-role' });
  });

  it('keeps no secret once there is a result', async () => {
    const room = await roomOf(RING);
    const post = new Post(room);
    await startAll(room, post);
    for (const participant of room.participants) {
      const inside = insideOf(participant);
      expect(inside).toMatchObject({ mask: null, share: null, self: null, held: { $map: [] } });
    }
  });

  it('can try again if its file could not be read, as nothing was sent', async () => {
    const room = await roomOf(SPLIT);
    let fails = true;
    const participant = await createParticipant(room.session, {
      mask: (seeds) => {
        if (!fails) return masking(0)(seeds);
        return Promise.reject(new Error('the file is gone'));
      },
    });
    await expect(participant.start()).rejects.toThrow('the file is gone');
    expect(participant.state).toBe('new');
    expect(participant.resend()).toEqual([]);
    fails = false;
    expect((await participant.start()).send.length).toBe(2);
  });
});
