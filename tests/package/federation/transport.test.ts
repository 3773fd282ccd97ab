import { describe, expect, it } from 'vitest';
import {
  fileName,
  fileTransport,
  messageFromLink,
  messageToLink,
} from '../../../web/package/src/federation/transports/transport-file.js';
import { failure } from '../support.js';
import { idOf, message, PID, SESSION, take, takeAll } from './transport-support.js';

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

  it('names a file by session, recipient and message, and reads it back', async () => {
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

  it('accepts files renamed by people and browsers', async () => {
    const { transport } = carried();
    const name = fileName(SESSION, 'analyst', idOf(message('a')));
    for (const [index, named] of [
      name.replace('.pmr', ' (1).pmr'),
      name.replace('.pmr', '(2).pmr'),
      'from Anna.bin',
    ].entries()) {
      const bytes = index < 2 ? message('a') : message('c');
      expect(await transport.add(new File([bytes], named))).toBe(index !== 1);
    }
    expect(await transport.add(new Blob([message('d')]))).toBe(true);
    expect(await take(transport, 3)).toEqual(['a', 'c', 'd']);
  });

  it('says what is wrong with a file, as far as its name and first bytes show', async () => {
    const { transport } = carried();
    const add = (bytes: Uint8Array<ArrayBuffer>, name: string) =>
      transport.add(new File([bytes], name));
    const id = idOf(message('a'));
    const other = fileName('cd'.repeat(32), 'all', id);
    await failure(() => add(message('a'), other), { code: 'wrong-session' });
    const named = `wine-survey-3-masked-sums-site-1a2b3c4d-${other}`;
    await failure(() => add(message('a'), named), { code: 'wrong-session' });
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

  it('ends when closed', async () => {
    const { transport } = carried();
    const receiving = takeAll(transport, 5000);
    transport.close();
    expect(await receiving).toEqual([]);
    await failure(() => transport.send('all', message('a')), { code: 'cancelled' });
  });
});

describe('a message in a link', () => {
  it('is only in the fragment', () => {
    const bytes = message('join', 250);
    const link = messageToLink('https://example.org/join?lang=de#old', bytes);
    expect(link).toMatch(/^https:\/\/example\.org\/join\?lang=de#pmr=[\w.-]+$/);
    expect(messageFromLink(link)).toEqual(new Uint8Array(bytes));
    expect(messageFromLink(new URL(link.replace('#', '#lang=de&')))).toEqual(bytes);
  });

  it('is refused if it is missing, cut or changed', async () => {
    const link = messageToLink('https://example.org/', message('join'));
    const other = messageToLink('https://example.org/', message('masked'));
    const mixed = link.slice(0, link.lastIndexOf('.')) + other.slice(other.lastIndexOf('.'));
    await failure(() => messageFromLink('https://example.org/'), { code: 'invalid-link' });
    for (const bad of [`${link}!`, link.slice(0, -1), mixed]) {
      await failure(() => messageFromLink(bad), { code: 'damaged-link' });
    }
    // Three zero bytes, with the first digits of their SHA-256.
    const page = 'https://example.org/#pmr=709e80c8.AAAA';
    await failure(() => messageFromLink(page), { code: 'message-unreadable' });
    await failure(() => messageToLink('/join', message('a')), { code: 'invalid-link' });
    await failure(() => messageToLink(page, new Uint8Array(9)), { code: 'message-unreadable' });
  });

  it('cannot be larger than a link allows', async () => {
    const code = 'link-too-large';
    await failure(() => messageToLink('https://example.org/', message('a', 200_000)), { code });
    await failure(() => messageFromLink(`https://e.org/#pmr=${'A'.repeat(2 ** 18 + 4)}`), { code });
  });
});
