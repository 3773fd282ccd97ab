// Commands that write, which command-kills.mjs kills at every step, and what has to be true afterwards.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createLedger, defineStudy, parseRelease, privatize } from 'private-moments';
import { fileStorage } from 'private-moments/node';
import { censusCsv, censusStudy, dealOut, writeSample } from '../../../samples/split.mjs';

const BUDGET = { epsilon: 1, delta: 1e-6 };
const LEDGER = 'ledger.json';
/** In the ledger, but of other data than site-01.csv, which the commands release. */
const EARLIER = ['site-02', 'site-03'];

/**
 * Fills a folder with what the commands read: three sites of the census sample, releases of two, and a ledger
 * that records these and has room for one of each data set.
 */
export async function prepare(folder) {
  const sites = dealOut(censusCsv(), 10).slice(0, 3);
  writeSample(folder, { study: censusStudy(), sites });
  mkdirSync(path.join(folder, 'releases'));
  const study = defineStudy(censusStudy());
  const release = async (ledger, site) => {
    const data = readFileSync(path.join(folder, `${site}.csv`), 'utf8');
    return (await privatize(study, data, { ledger })).toBlob().text();
  };
  const ledger = createLedger(fileStorage(path.join(folder, LEDGER)));
  await ledger.budget(BUDGET);
  for (const site of EARLIER) {
    const text = await release(ledger, site);
    writeFileSync(path.join(folder, `releases/${site}.release.json`), text);
  }
  writeFileSync(path.join(folder, 'old.json'), 'of another day');
  const other = createLedger(fileStorage(path.join(folder, 'other.json')));
  await release(other, 'site-01');
  writeFileSync(path.join(folder, 'exported.json'), await other.export({ secret: true }));
  return { entry: (await ledger.entries())[0].id };
}

/** A command with one result, which is the same each time. */
function writing(command, out) {
  const args = [...command.split(' '), '--out', out];
  return { name: command, args, outputs: [out], isRepetitive: true };
}

/**
 * `outputs`: files that the command writes. `isDone`: whether a ledger says what the command is to change.
 * `entries`: how many the ledger has in the end. The analyses have one command without a worker and one with: all go
 * through the same functions.
 */
export function commandJobs({ entry }) {
  const jobs = [
    {
      name: 'privatize',
      args: ['privatize', 'study.json', 'site-01.csv', '--ledger', LEDGER, '--out', 'made.json'],
      outputs: ['made.json'],
      entries: 3,
      isRepetitive: true,
    },
    {
      name: 'ledger budget',
      args: ['ledger', 'budget', '5', '1e-5', '--ledger', LEDGER],
      isDone: ({ budget }) => budget?.epsilon === 5,
    },
    {
      name: 'ledger budget, the first of your own ledger',
      args: ['ledger', 'budget', '5', '1e-5'],
      ledger: 'state/private-moments/ledger.json',
      isDone: ({ budget }) => budget?.epsilon === 5,
    },
    {
      name: 'ledger remove',
      args: ['ledger', 'remove', entry, '--reason', 'never sent', '--ledger', LEDGER],
      isDone: ({ entries }) => entries[0]?.removed !== undefined,
    },
    {
      name: 'ledger import',
      args: ['ledger', 'import', 'exported.json', '--ledger', LEDGER],
      isDone: ({ entries }) => entries.length === 3,
    },
    // In place of a file that is there.
    writing(`ledger export --secret --ledger ${LEDGER} --force`, 'old.json'),
    writing(`ledger list --csv --ledger ${LEDGER}`, 'made.csv'),
    writing('study study.json --json', 'made.json'),
    writing('study template study.json', 'made.csv'),
    writing('study init site-01.csv --columns age,hours --title Sleep', 'made.json'),
    writing('inspect study.json site-01.csv --csv', 'made.csv'),
    writing('forecast study.json --rows 5000 --json', 'made.json'),
    {
      ...writing('assemble study.json releases --json --report made.html', 'made.json'),
      outputs: ['made.json', 'made.html'],
    },
    writing('pca study.json releases --json', 'made.json'),
    writing('synthesize study.json releases --rows 50 --seed 1', 'made.parquet'),
  ];
  return jobs.map((job) => ({ outputs: [], ledger: LEDGER, ...job }));
}

/**
 * What is in a folder: the files that a command writes by name, what it left of them under other names, and the
 * ledger, read from a copy so that its lock stays as it is.
 */
export async function look(job, folder) {
  const files = new Map();
  const partials = [];
  for (const name of readdirSync(folder)) {
    if (!job.outputs.some((output) => name.startsWith(output))) continue;
    const bytes = readFileSync(path.join(folder, name));
    if (job.outputs.includes(name)) files.set(name, bytes);
    else partials.push(bytes);
  }
  return { files, partials, ledger: await readLedger(path.join(folder, job.ledger)) };
}

/** Names and sizes of all files of a folder, without the ids in names: equal for states that a command takes alike. */
export function stateOf(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => !name.endsWith('.copy'));
  const state = names.map((name) => {
    const { size } = statSync(path.join(folder, name));
    return `${name.replace(/[0-9a-f-]{36}/g, 'ID').replace(/\w+\.partial/, 'ID.partial')} ${size}`;
  });
  return state.sort().join('\n');
}

async function readLedger(file) {
  if (!existsSync(file)) return { budget: null, entries: [] };
  const copy = `${file}.copy`;
  copyFileSync(file, copy);
  const ledger = createLedger(fileStorage(copy));
  return { budget: await ledger.budget(), entries: await ledger.entries() };
}

function isWholeRelease(bytes) {
  try {
    return parseRelease(bytes.toString('utf8')) !== undefined;
  } catch {
    return false;
  }
}

/** What is wrong with a folder in which a command was killed, given what is there before it and when it has ended. */
export function problemsOf(job, found, before, after) {
  const problems = [];
  for (const [name, bytes] of found.files) {
    const isOld = before.files.get(name)?.equals(bytes) ?? false;
    const isWhole =
      job.args[0] === 'privatize' ? isWholeRelease(bytes) : after.files.get(name).equals(bytes);
    if (!isOld && !isWhole) problems.push(`half a file ${name}`);
  }
  for (const name of before.files.keys()) {
    if (!found.files.has(name)) problems.push(`${name} is gone`);
  }
  const recorded = new Set(found.ledger.entries.map(({ release }) => release));
  const releases = [...found.files.values(), ...found.partials].filter(isWholeRelease);
  if (releases.some((bytes) => !recorded.has(parseRelease(bytes.toString('utf8')).id))) {
    problems.push('a release that is not in the ledger');
  }
  const isSame = JSON.stringify(found.ledger) === JSON.stringify(before.ledger);
  if (job.isDone && !isSame && !job.isDone(found.ledger))
    problems.push('a change of the ledger by half');
  if (!job.isDone && !job.entries && !isSame) problems.push('a change of the ledger');
  return problems;
}

/** Why the same command may be refused after a kill, by the code that it says; undefined if it may not be. */
export function mayRefuse(job, said, found, before) {
  const has = (code) => new RegExp(`^private-moments: ${code}: `, 'm').test(said);
  if (has('output-exists') && job.outputs.some((name) => found.files.has(name))) return 'done';
  if (has('unknown-entry') && job.isDone?.(found.ledger)) return 'done';
  const isRecorded = found.ledger.entries.length > before.ledger.entries.length;
  return has('over-budget') && isRecorded ? 'spent' : undefined;
}

/** What later commands should have tidied up beside a ledger. */
export async function leftBeside(job, folder) {
  const file = path.join(folder, job.ledger);
  if (!existsSync(file)) return [];
  await createLedger(fileStorage(file)).budget(BUDGET);
  const name = path.basename(file);
  return readdirSync(path.dirname(file)).filter(
    (each) => each.startsWith(name) && ![name, `${name}.copy`].includes(each),
  );
}
