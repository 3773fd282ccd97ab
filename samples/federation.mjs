// Combines ten sites of the census sample in three ways on this machine: with independent releases, and
// in real sessions with masks from a helper (split) and with masks between pairs (ring).
//   node samples/federation.mjs [--out FOLDER]     also writes the split study and its sum, for Analyse

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assemble, defineStudy, privatize } from 'private-moments';
import {
  createCollector,
  createHelper,
  createParticipant,
  createSession,
  maskData,
  newRoleKeys,
  publicKeys,
  sumOf,
} from 'private-moments/federation';
import { guaranteeInWords } from 'private-moments/words';
import { exactMoments } from 'private-moments-research';
import { censusCsv, censusStudy, dealOut, SITES } from './split.mjs';

const HONEST = 7;
const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
const sites = dealOut(censusCsv(), SITES);
const base = censusStudy();

/**
 * Carries messages between roles until none are left. Messages to all go to everyone but the sender. No
 * role may refuse a message here.
 */
async function carry(roles, messages) {
  const queue = [...messages];
  while (queue.length > 0) {
    const { from, to, message } = queue.shift();
    for (const [name, role] of roles) {
      if (to === 'all' ? name === from : name !== to) continue;
      const { refused, send } = await role.receive(message);
      if (refused !== null) throw new Error(`${name} refused a message: ${refused.reason}`);
      queue.push(...sentBy(name, send));
    }
  }
}

/** Messages with the name of their sender. */
function sentBy(from, messages) {
  return messages.map(({ to, message }) => ({ from, to, message }));
}

/** Runs a session of this study and returns its sum. */
async function collect(study) {
  const isSplit = study.federation.mode === 'split';
  const keys = await newRoleKeys('25519');
  const helping = await newRoleKeys('25519');
  const session = createSession(study, {
    collector: publicKeys(keys),
    ...(isSplit ? { helper: publicKeys(helping) } : {}),
  });
  const collector = await createCollector(session, keys);
  const name = isSplit ? 'analyst' : 'coordinator';
  const roles = [[name, collector]];
  if (isSplit) roles.push(['helper', await createHelper(session, helping)]);
  const first = [];
  for (const { csv } of sites) {
    const participant = await createParticipant(session, { mask: maskData(study, csv).mask });
    roles.push([participant.pid, participant]);
    first.push(...sentBy(participant.pid, (await participant.start()).send));
  }
  await carry(roles, first);
  if (collector.outcome === null) await carry(roles, sentBy(name, (await collector.close()).send));
  return sumOf(study, collector);
}

function write(folder, study, sum) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'study.json'), `${JSON.stringify(study, null, 2)}\n`);
  writeFileSync(join(folder, 'sum.json'), JSON.stringify(sum));
}

function line(name, moments) {
  const [first, second] = moments.cca({ components: 2, level: 0.95 }).correlations;
  const shown = ({ value, low, high }) =>
    `${value.toFixed(3)}${low === undefined ? '' : ` (${low.toFixed(3)} to ${high.toFixed(3)})`}`.padEnd(
      24,
    );
  const noise = noiseOf(moments).toFixed(4);
  console.log(
    `${name.padEnd(24)} ${noise.padStart(6)}   ${shown(first)}   ${shown(second).trimEnd()}`,
  );
}

/** Root mean square of the noise in a covariance, in units of the exact standard deviations of its columns. */
function noiseOf(moments) {
  const { values: sd } = moments.noise.covarianceSd;
  const { values: covariance } = truth.covariance;
  const d = moments.columns.length;
  let sum = 0;
  for (let i = 0; i < d; i++) {
    for (let j = 0; j < d; j++) {
      if (i !== j) sum += sd[i * d + j] ** 2 / (covariance[i * d + i] * covariance[j * d + j]);
    }
  }
  return Math.sqrt(sum / (d * (d - 1)));
}

const exact = defineStudy({ ...base, federation: { mode: 'independent' } });
const truth = await exactMoments(exact, censusCsv());
console.log('Each study has its defaults: releases without masks choose a centre and a radius.');
console.log('noise: of a covariance, in units of spread; correlations with 95 % intervals\n');
console.log(`${''.padEnd(24)} ${'noise'.padStart(6)}   1st canonical correlation    2nd`);
line('all rows, no privacy', truth);

const alone = defineStudy({ ...base, federation: { mode: 'independent', sites: SITES } });
line('one data set', await assemble(alone, [await privatize(alone, censusCsv())]));
const releases = [];
for (const { csv } of sites) releases.push(await privatize(alone, csv));
line('ten sites, independent', await assemble(alone, releases));

let guarantee;
for (const mode of ['split', 'ring']) {
  const study = defineStudy({ ...base, federation: { mode, sites: SITES, honest: HONEST } });
  const sum = await collect(study);
  if (out !== undefined && mode === 'split') write(out, study, sum);
  const moments = await assemble(study, [sum]);
  line(`ten sites, ${mode}`, moments);
  guarantee = moments.guarantee;
}
console.log(`\nWith masks: ${guaranteeInWords(guarantee).join(' ')}`);
