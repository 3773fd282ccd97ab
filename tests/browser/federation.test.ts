import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { serve } from './server.js';

/** The built package itself, as pages without a bundler would load it, and its command line. */
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const relayProgram = fileURLToPath(new URL('../../web/relay/dist/cli.js', import.meta.url));

const SITES = 20;
const HONEST = 13;
/** Three participants leave: none of them answers, and two are missing from the sum. */
const DROPOUTS = 2;
const THRESHOLD = 14;
const NAMES = ['a', 'b', 'c', 'd'];

/** When a participant's browser is closed; `null` if it stays. */
type End = 'joined' | 'shared' | 'released' | null;
const ENDS: readonly End[] = ['joined', 'shared', 'released'];

interface Place {
  host: string;
  relay: string;
  definition: object;
  session: string;
}

interface Report {
  pid: string;
  state: string;
  /** What this participant masked, without its masks: words in decimal digits. */
  words: string[];
  rows: number | null;
  /** The sum it received. */
  total: string[] | null;
}

test('twenty browsers meet over a relay, three leave at different moments, and the sum is exact', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const folder = await mkdtemp(join(tmpdir(), 'relay-'));
  const host = await serve(dist);
  const relay = await startRelay(folder);
  try {
    const definition = {
      title: 'Twenty sites',
      columns: NAMES.map((name) => ({ name, type: 'number', min: 0, max: 1 })),
      privacy: { epsilon: 1, delta: 1e-6 },
      federation: {
        mode: 'ring',
        sites: SITES,
        honest: HONEST,
        dropouts: DROPOUTS,
        threshold: THRESHOLD,
      },
    };
    const coordinator = await open(browser, host.address);
    const made = await coordinator.evaluate(makeSession, { host: host.address, definition });
    const place = { host: host.address, relay: relay.address, definition, session: made.session };
    const collecting = coordinator.evaluate(collect, { place, keys: made.keys });

    const reports = await Promise.all(
      Array.from({ length: SITES }, async (_, site) => {
        const end = ENDS[site] ?? null;
        const page = await open(browser, host.address);
        const answer = await page.evaluate(takePart, { place, site, end });
        if (end !== null) await page.context().close();
        return answer;
      }),
    );
    const outcome = await collecting;

    // A participant that leaves before its release is sent is not in the sum; one that leaves later is.
    const inSum = reports.filter((_, site) => ENDS[site] !== 'joined' && ENDS[site] !== 'shared');
    expect(outcome.participants).toEqual(inSum.map(({ pid }) => pid).sort());
    expect(outcome.phases).toEqual(['joining', 'sharing', 'collecting', 'agreeing', 'revealing']);
    const word = (text: string | undefined) => BigInt(text ?? '0');
    const sums = outcome.total.map((_, i) =>
      BigInt.asUintN(
        64,
        inSum.reduce((all, { words }) => all + word(words[i]), 0n),
      ).toString(),
    );
    expect(outcome.total).toEqual(sums);
    expect(outcome.rows).toBe(inSum.reduce((all, { rows }) => all + (rows ?? 0), 0));
    expect(outcome.releases).toBe(SITES - 2);
    expect(outcome.honest).toBe(HONEST - DROPOUTS);
    for (const [site, { state, total }] of reports.entries()) {
      if (ENDS[site] != null) continue;
      expect(state).toBe('done');
      expect(total).toEqual(outcome.total);
    }
  } finally {
    for (const context of browser.contexts()) await context.close();
    relay.process.kill();
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Opens a browser context of its own, which shares nothing but the network. */
async function open(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${address}THIRD-PARTY.txt`);
  return page;
}

async function startRelay(data: string): Promise<{ address: string; process: ChildProcess }> {
  const limits = ['--rate-address', '1000'];
  const args = [relayProgram, '--port', '0', '--data', data, ...limits];
  const relay = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    relay.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /listening on (\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    relay.once('exit', () => {
      reject(new Error(`the relay ended: ${text}`));
    });
  });
  return { address, process: relay };
}

async function makeSession({ host, definition }: { host: string; definition: object }) {
  const { defineStudy } = (await import(`${host}index.js`)) as typeof import('private-moments');
  const { createSession, newRoleKeys } = (await import(
    `${host}federation.js`
  )) as typeof import('private-moments/federation');
  const keys = await newRoleKeys('25519');
  const session = createSession(defineStudy(definition as never), { collector: keys });
  return { session: JSON.stringify(session), keys };
}

/** The collector, which continues without missing participants. */
async function collect({ place, keys }: { place: Place; keys: object }) {
  const { host, relay } = place;
  const { assemble, defineStudy } = (await import(
    `${host}index.js`
  )) as typeof import('private-moments');
  const { coreArithmetic, createCollector, parseSession, relayTransport, sumOf } = (await import(
    `${host}federation.js`
  )) as typeof import('private-moments/federation');
  const study = defineStudy(place.definition as never);
  const session = parseSession(place.session);
  const collector = await createCollector(session, keys as never, {
    arithmetic: await coreArithmetic(),
  });
  const transport = relayTransport({
    relay,
    session: session.id,
    mailboxes: ['coordinator'],
  });
  const phases: string[] = [];
  const missing: Record<string, number> = { sharing: 1, collecting: 2 };
  for await (const { bytes } of transport.receive()) {
    if (!phases.includes(collector.state) && collector.state !== 'done')
      phases.push(collector.state);
    const { send } = await collector.receive(bytes);
    const { have } = collector.progress;
    if (have === 20 - (missing[collector.state] ?? NaN)) {
      if (!phases.includes(collector.state)) phases.push(collector.state);
      send.push(...(await collector.close()).send);
    }
    for (const { to, message } of send) await transport.send(to, message);
    if (collector.outcome !== null || collector.reason !== null) break;
  }
  transport.close();
  const sum = await sumOf(study, collector);
  const moments = await assemble(study, [sum.toBlob()]);
  const { participants = [], total = new Uint8Array() } = collector.outcome ?? {};
  return {
    participants,
    phases,
    total: Array.from(new BigUint64Array(total.slice().buffer), String),
    rows: moments.rows,
    releases: moments.noise.releases,
    honest: moments.guarantee?.honest,
  };
}

/** A participant, which leaves at `end`. */
async function takePart(setup: { place: Place; site: number; end: End }): Promise<Report> {
  const { place, site, end } = setup;
  const { defineStudy } = (await import(
    `${place.host}index.js`
  )) as typeof import('private-moments');
  const { createParticipant, maskData, parseSession, relayTransport, requireSessionOf } =
    (await import(`${place.host}federation.js`)) as typeof import('private-moments/federation');
  const study = defineStudy(place.definition as never);
  const session = parseSession(place.session);
  requireSessionOf(study, session);
  const rows = Array.from({ length: 50 + site }, (_, i) => ({
    ...{ a: ((i * 37 + site) % 101) / 100, b: ((i * 61) % 89) / 88 },
    ...{ c: ((i * 17 + 3 * site) % 53) / 52, d: ((i * i) % 31) / 30 },
  }));
  const data = maskData(study, rows);
  let words: bigint[] = [];
  let masked = 0;
  let count: number | null = null;
  const participant = await createParticipant(session, {
    mask: async (seeds) => {
      const made = await data.mask(seeds);
      masked += 1;
      count = made.rows;
      words = Array.from(new BigUint64Array(made.payload.slice().buffer));
      // Only this page can take its own masks off.
      for (const { key, sign } of seeds) {
        const raw = key.slice();
        const imported = await crypto.subtle.importKey('raw', raw, 'AES-CTR', false, ['encrypt']);
        const how = { name: 'AES-CTR', counter: new Uint8Array(16), length: 64 };
        const stream = await crypto.subtle.encrypt(how, imported, new Uint8Array(8 * words.length));
        new BigUint64Array(stream).forEach((mask, i) => {
          words[i] = BigInt.asUintN(64, (words[i] ?? 0n) - BigInt(sign) * mask);
        });
      }
      return made;
    },
  });
  const { pid } = participant;
  const transport = relayTransport({
    relay: place.relay,
    session: session.id,
    mailboxes: [pid, 'all'],
  });
  const report = (): Report => ({
    pid,
    state: participant.state,
    words: words.map(String),
    rows: masked === 1 ? count : null,
    total:
      participant.outcome &&
      Array.from(new BigUint64Array(participant.outcome.total.slice().buffer), String),
  });
  for (const { to, message } of (await participant.start()).send) await transport.send(to, message);
  if (end === 'joined') return report();
  for await (const { bytes } of transport.receive()) {
    const { send } = await participant.receive(bytes);
    // The release was made, but the browser closed before sending it.
    if (end === 'shared' && participant.state === 'released') return report();
    for (const { to, message } of send) await transport.send(to, message);
    if (end === 'released' && participant.state === 'released') return report();
    if (['done', 'aborted'].includes(participant.state)) break;
  }
  transport.close();
  return report();
}
