// What a session moves, in bytes: capeCCA by its own count, 3 D^2 numbers of 8 bytes for each site,
// and the modes split and ring of this library, measured. Whole sessions are run with the package's
// roles, bundled from their sources, and every message that they send is weighed. Only what is
// masked is made up: zeros of the right length, as masked sums have the same length whatever they
// hold.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const NUMBER = 8;

async function packageRoles() {
  const sources = ['federation/roles', 'federation/session', 'federation/keys', 'intake/stream'];
  const outfile = path.join(root, 'build/experiments/roles.mjs');
  await build({
    stdin: {
      contents: [...sources, 'federation/arithmetic']
        .map((file) => `export * from './web/package/src/${file}.ts';`)
        .join('\n'),
      resolveDir: root,
    },
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20', outfile },
  });
  return import(pathToFileURL(outfile));
}

/** All messages of one session: those that the first site sent, and all together. */
async function weigh(roles, terms, columns) {
  const length = ((columns + 1) * (columns + 2)) / 2;
  const mask = async (seeds) => {
    const sum = roles.plainArithmetic.sum(length);
    for (const { key, sign } of seeds) await sum.add(await roles.maskStream(key, length), sign);
    return { payload: await sum.bytes(), rows: 1000 };
  };
  const [collectorKeys, helperKeys] = [
    await roles.newRoleKeys('25519'),
    await roles.newRoleKeys('25519'),
  ];
  const publicKeys = ({ sign, seal }) => ({ sign: sign.public, seal: seal.public });
  const isSplit = terms.mode === 'split';
  const session = roles.parseSession({
    format: 'private-moments/session@2',
    study: '0'.repeat(64),
    suite: '25519',
    attempt: 1,
    length,
    ...terms,
    ...(isSplit
      ? { analyst: publicKeys(collectorKeys), helper: publicKeys(helperKeys) }
      : { coordinator: publicKeys(collectorKeys) }),
  });
  const collectorName = isSplit ? 'analyst' : 'coordinator';
  const everyone = new Map([[collectorName, await roles.createCollector(session, collectorKeys)]]);
  if (isSplit) everyone.set('helper', await roles.createHelper(session, helperKeys));
  const sites = [];
  for (let s = 0; s < terms.sites; ++s)
    sites.push(await roles.createParticipant(session, { mask }));
  for (const site of sites) everyone.set(site.pid, site);

  const weighed = { site: 0, all: 0 };
  const queue = [];
  const post = (outgoing, from) => {
    for (const { to, message } of outgoing) {
      const names = to === 'all' ? [...everyone.keys()].filter((name) => name !== from) : [to];
      for (const name of names) queue.push({ to: name, message });
      weighed.all += names.length * message.length;
      if (from === sites[0].pid) weighed.site += names.length * message.length;
    }
  };
  const deliver = async () => {
    for (let item = queue.shift(); item; item = queue.shift()) {
      const step = await everyone.get(item.to).receive(item.message);
      if (step.refused) throw new Error(step.refused.reason);
      post(step.send, item.to);
    }
  };
  for (const site of sites) post((await site.start()).send, site.pid);
  await deliver();
  const collector = everyone.get(collectorName);
  if (collector.state !== 'done') {
    post((await collector.close()).send, collectorName);
    await deliver();
  }
  if (collector.state !== 'done') throw new Error(`the session ended in ${collector.state}`);
  return weighed;
}

/** Two thirds of the sites are honest, rounded up; in a ring a site may drop out, where that is possible. */
const termsOf = {
  split: (sites) => ({ mode: 'split', sites, honest: Math.ceil((2 * sites) / 3), dropouts: 0 }),
  ring: (sites) => {
    const honest = Math.ceil((2 * sites) / 3);
    const dropouts = honest > 3 ? 1 : 0;
    return { mode: 'ring', sites, honest, dropouts, threshold: sites - dropouts };
  },
};

/** For each number of sites and of columns, what a site sends and what a session moves. */
export async function messageSizes(siteCounts, columnCounts) {
  const roles = await packageRoles();
  const lines = [];
  for (const sites of siteCounts) {
    for (const columns of columnCounts) {
      const numbers = (method, each) =>
        lines.push({ method, sites, columns, site: NUMBER * each, all: NUMBER * each * sites });
      numbers('cape-published', 3 * columns ** 2);
      numbers('cape-triangles', (3 * columns * (columns + 1)) / 2);
      for (const mode of ['split', 'ring']) {
        const weighed = await weigh(roles, termsOf[mode](sites), columns);
        lines.push({ method: mode, sites, columns, ...weighed });
      }
    }
  }
  return lines;
}
