import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { broadcastTransport } from '../../../web/package/src/federation/transports/transport-broadcast.js';
import {
  fileName,
  fileTransport,
  messageFromLink,
  messageToLink,
} from '../../../web/package/src/federation/transports/transport-file.js';
import type {
  Received,
  Transport,
} from '../../../web/package/src/federation/transports/transport.js';
import { failure } from '../support.js';

const SESSION = 'ab'.repeat(32);
const PID = '12'.repeat(32);
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function message(text: string, size = 100): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(`PMR2${text}`));
  return bytes;
}

const idOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const textOf = ({ bytes }: Received): string =>
  Buffer.from(bytes.subarray(4)).toString('utf8').replaceAll('\0', '');

/** The next messages of a transport, whose receiving goes on at the next call. */
async function take(transport: Transport, count: number): Promise<string[]> {
  const texts: string[] = [];
  if (count === 0) return texts;
  for await (const received of transport.receive(AbortSignal.timeout(5000))) {
    expect(received.id).toBe(idOf(received.bytes));
    texts.push(textOf(received));
    if (texts.length === count) break;
  }
  return texts;
}

/** What comes within a moment. */
async function takeAll(transport: Transport, milliseconds = 60): Promise<string[]> {
  const texts: string[] = [];
  for await (const received of transport.receive(AbortSignal.timeout(milliseconds))) {
    texts.push(textOf(received));
  }
  return texts;
}

describe('the transport between tabs', () => {
  const tab = (mailboxes: string[], holdBytes?: number): Transport => {
    const options = holdBytes === undefined ? {} : { holdBytes };
    const made = broadcastTransport({ session: SESSION, mailboxes, ...options });
    ends.push(() => {
      made.close();
    });
    return made;
  };

  it('carries messages to the tabs they are for, the own one among them', async () => {
    const [analyst, participant] = [tab(['analyst', 'all']), tab([PID, 'all'])];
    await analyst.send('all', message('a'));
    await participant.send('analyst', message('b'));
    await analyst.send(PID, message('c'));
    expect((await take(analyst, 2)).sort()).toEqual(['a', 'b']);
    expect(await take(participant, 2)).toEqual(['a', 'c']);
  });

  it('keeps sessions apart', async () => {
    const other = broadcastTransport({ session: 'cd'.repeat(32), mailboxes: ['all'] });
    ends.push(() => {
      other.close();
    });
    await tab([]).send('all', message('a'));
    expect(await takeAll(other)).toEqual([]);
  });

  it('gives a tab that opens later what was sent before, each message once', async () => {
    const [sender, witness] = [tab([]), tab(['all'])];
    for (const text of ['a', 'b']) await sender.send('all', message(text));
    await sender.send(PID, message('c'));
    await sender.send(PID, message('a'));
    expect(await take(witness, 2)).toEqual(['a', 'b']);
    const late = tab(['all', PID]);
    expect((await take(late, 3)).sort()).toEqual(['a', 'b', 'c']);
    expect(await takeAll(late)).toEqual([]);
    expect(await takeAll(witness)).toEqual([]);
    expect((await take(tab([PID]), 2)).sort()).toEqual(['a', 'c']);
  });

  it('sends a tab that opens later only what is for it, and that once', async () => {
    const [sender, witness] = [tab([]), tab(['all', 'analyst'])];
    await sender.send('all', message('a'));
    await sender.send('analyst', message('b'));
    await take(witness, 2);
    const channel = new BroadcastChannel(`private-moments/${SESSION}`);
    ends.push(() => {
      channel.close();
    });
    const notes: { kind: string; keys?: string[] }[] = [];
    channel.onmessage = ({ data }: MessageEvent<{ kind: string }>) => notes.push(data);
    const late = tab(['analyst']);
    expect(await take(late, 1)).toEqual(['b']);
    expect(await takeAll(late)).toEqual([]);
    const keys = [`analyst/${idOf(message('b'))}`];
    await vi.waitFor(() => {
      const offers = notes.filter(({ kind }) => kind === 'have');
      expect(offers.map((offer) => offer.keys)).toEqual([keys, keys]);
    });
    expect(notes.filter(({ kind }) => kind === 'want')).toHaveLength(1);
  });

  it('has what was sent by a tab that was closed, as long as one was open since', async () => {
    const [sender, witness] = [tab([]), tab(['all'])];
    await sender.send('analyst', message('a'));
    await sender.send('all', message('b'));
    await take(witness, 1);
    sender.close();
    expect(await take(tab(['analyst']), 1)).toEqual(['a']);
  });

  it('keeps of others only so many bytes, and of its own all', async () => {
    const [sender, witness] = [tab([]), tab(['all'], 250)];
    await witness.send('all', message('own', 1000));
    for (const text of ['a', 'b', 'c']) await sender.send('all', message(text));
    await take(witness, 4);
    sender.close();
    expect((await take(tab(['all']), 3)).sort()).toEqual(['b', 'c', 'own']);
  });

  it('asks again where a tab offered what it then does not give', async () => {
    const channel = new BroadcastChannel(`private-moments/${SESSION}`);
    ends.push(() => {
      channel.close();
    });
    const greetings: string[] = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    ends.push(() => vi.useRealTimers());
    channel.onmessage = ({ data }: MessageEvent<{ kind: string; tab: string }>) => {
      greetings.push(data.kind);
      if (data.kind !== 'hello') return;
      const keys = [`all/${idOf(message('a'))}`];
      channel.postMessage({ kind: 'have', tab: data.tab, by: 'nobody', keys });
    };
    const late = tab(['all']);
    const heard = (...kinds: string[]) =>
      vi.waitFor(() => {
        expect(greetings).toEqual(kinds);
      });
    await heard('hello', 'want');
    vi.advanceTimersByTime(2000);
    await heard('hello', 'want', 'hello', 'want');
    channel.onmessage = null;
    await tab([]).send('all', message('a'));
    expect(await take(late, 1)).toEqual(['a']);
  });

  it('takes nothing that is not what it says it is', async () => {
    const channel = new BroadcastChannel(`private-moments/${SESSION}`);
    ends.push(() => {
      channel.close();
    });
    const here = tab(['all']);
    const bytes = message('a');
    const id = idOf(bytes);
    for (const note of [
      null,
      'text',
      { kind: 'other' },
      { kind: 'message', to: 'all', id, bytes: 'text' },
      { kind: 'message', to: 'everybody', id, bytes },
      { kind: 'message', to: 'all', id, bytes: message('b') },
      { kind: 'have', tab: 'x', by: 'x', keys: [1] },
      { kind: 'hello', tab: 'x', mailboxes: 'all' },
    ]) {
      channel.postMessage(note);
    }
    expect(await takeAll(here)).toEqual([]);
    channel.postMessage({ kind: 'message', to: 'all', id, bytes });
    expect(await take(here, 1)).toEqual(['a']);
  });

  it('is over when closed', async () => {
    const here = tab(['all']);
    const receiving = takeAll(here, 5000);
    here.close();
    expect(await receiving).toEqual([]);
    await failure(() => here.send('all', message('a')), { code: 'cancelled' });
  });
});

describe('the transport in files', () => {
  const carried = (mailboxes: string[] = ['analyst', 'all']) => {
    const files: File[] = [];
    const transport = fileTransport({
      session: SESSION,
      mailboxes,
      save: (name, blob) => void files.push(new File([blob], name)),
    });
    return { files, transport };
  };

  it('names a file by session, recipient and message, and reads it again', async () => {
    const { files, transport } = carried();
    await transport.send('analyst', message('a'));
    await transport.send(PID, message('b'));
    const [a, b] = files as [File, File];
    const ids = [idOf(message('a')), idOf(message('b'))].map((id) => id.slice(0, 8));
    expect(a.name).toBe(`abababab-analyst-${ids[0] ?? ''}.pmr`);
    expect(b.name).toBe(`abababab-12121212-${ids[1] ?? ''}.pmr`);
    expect(await transport.add(a)).toBe(true);
    expect(await transport.add(a)).toBe(false);
    expect(await take(transport, 1)).toEqual(['a']);
    expect(await carried([PID]).transport.add(b)).toBe(true);
  });

  it('takes files under whatever name people and browsers give them', async () => {
    const { transport } = carried();
    const name = fileName(SESSION, 'analyst', idOf(message('a')));
    for (const [index, given] of [
      name.replace('.pmr', ' (1).pmr'),
      name.replace('.pmr', '(2).pmr'),
      'from Anna.bin',
    ].entries()) {
      const bytes = index < 2 ? message('a') : message('c');
      expect(await transport.add(new File([bytes], given))).toBe(index !== 1);
    }
    expect(await transport.add(new Blob([message('d')]))).toBe(true);
    expect(await take(transport, 3)).toEqual(['a', 'c', 'd']);
  });

  it('says what is wrong with a file, as far as its name and first bytes tell', async () => {
    const { transport } = carried();
    const add = (bytes: Uint8Array<ArrayBuffer>, name: string) =>
      transport.add(new File([bytes], name));
    const id = idOf(message('a'));
    const other = fileName('cd'.repeat(32), 'all', id);
    await failure(() => add(message('a'), other), { code: 'wrong-session' });
    for (const copy of [' (1).pmr', '(2).pmr']) {
      const again = other.replace('.pmr', copy);
      await failure(() => add(message('a'), again), { code: 'wrong-session' });
    }
    const helpers = fileName(SESSION, 'helper', id);
    await failure(() => add(message('a'), helpers), { code: 'wrong-recipient' });
    const damaged = fileName(SESSION, 'all', id);
    await failure(() => add(message('b'), damaged), { code: 'message-unreadable' });
    await failure(() => add(new Uint8Array(99), 'rows.csv'), { code: 'message-unreadable' });
    const huge = Object.create(Blob.prototype, { size: { value: 2 ** 40 } }) as Blob;
    await failure(() => transport.add(huge), { code: 'message-unreadable' });
    const gone = new File([], 'gone.pmr');
    gone.arrayBuffer = () => Promise.reject(new Error('gone'));
    await failure(() => transport.add(gone), { code: 'read-failed' });
    expect(await takeAll(transport)).toEqual([]);
  });

  it('is over when closed', async () => {
    const { transport } = carried();
    const receiving = takeAll(transport, 5000);
    transport.close();
    expect(await receiving).toEqual([]);
    await failure(() => transport.send('all', message('a')), { code: 'cancelled' });
  });
});

describe('a message in a link', () => {
  it('is in the fragment and nowhere else', () => {
    const bytes = message('join', 250);
    const link = messageToLink('https://example.org/join?lang=de#old', bytes);
    expect(link).toMatch(/^https:\/\/example\.org\/join\?lang=de#pmr=[\w-]+$/);
    expect(messageFromLink(link)).toEqual(new Uint8Array(bytes));
    expect(messageFromLink(new URL(link.replace('#', '#lang=de&')))).toEqual(bytes);
  });

  it('is refused where it was cut, changed, or is none', async () => {
    const link = messageToLink('https://example.org/', message('join'));
    for (const bad of ['https://example.org/', `${link}!`, link.slice(0, -1)]) {
      await failure(() => messageFromLink(bad), { code: 'invalid-link' });
    }
    const page = 'https://example.org/#pmr=AAAA';
    await failure(() => messageFromLink(page), { code: 'message-unreadable' });
    await failure(() => messageToLink('/join', message('a')), { code: 'invalid-link' });
    await failure(() => messageToLink(page, new Uint8Array(9)), { code: 'message-unreadable' });
  });

  it('is no larger than a link can be', async () => {
    const code = 'link-too-large';
    await failure(() => messageToLink('https://example.org/', message('a', 200_000)), { code });
    await failure(() => messageFromLink(`https://e.org/#pmr=${'A'.repeat(2 ** 18 + 4)}`), { code });
  });
});
