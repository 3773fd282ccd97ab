// Every one-bit flip and every truncation of a ledger, keys twice, changed digits, exchanged bytes, and random
// damage: what is still read must say the same as before, and a spent budget must stay spent. All are read from
// memory, as files take longer, and one of FILES_EVERY from a file, too, with the same answer.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLedger, defineStudy, PrivateMomentsError, privatize } from 'private-moments';
import { fileStorage } from 'private-moments/node';
import { damages } from '../support/damage.mjs';
import { seeded } from '../support/random.mjs';

const STUDY = defineStudy({
  title: 'Sleep',
  columns: [{ name: 'hours', type: 'number', min: 0, max: 12 }],
  privacy: { epsilon: 1, delta: 1e-6 },
});
const DATA = 'hours\n7.5\n6\n';
const REFUSED = ['ledger-damaged', 'ledger-unreadable'];
const FILES_EVERY = 40;

/** A storage with these bytes, which are refused like those of a file if they are not UTF-8. */
function holding(bytes) {
  return {
    async update(change) {
      let text;
      try {
        text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      } catch {
        throw new PrivateMomentsError('ledger-damaged', 'not UTF-8');
      }
      change(text);
    },
  };
}

/** Everything in a ledger; undefined if it is refused. */
async function contentsOf(storage) {
  try {
    return await createLedger(storage).export({ secret: true });
  } catch (error) {
    if (REFUSED.includes(error.code)) return undefined;
    throw error;
  }
}

/** A ledger with entries of every kind whose budget is spent for DATA. */
async function spentLedger(file) {
  const ledger = createLedger(fileStorage(file));
  await ledger.budget({ epsilon: 9, delta: 1e-5 });
  await privatize(STUDY, DATA, { ledger, dataSet: 'ward' });
  await privatize(STUDY, new File([DATA], 'ward.csv'), { ledger });
  await privatize(STUDY, 'hours\n8\n', { ledger });
  const [, , third] = await ledger.entries();
  await ledger.remove(third.id, 'never sent');
  await ledger.budget({ epsilon: 1.1, delta: 1e-5 });
}

/** Several bytes of the file replaced at random, or a piece of it repeated. */
function* randomDamage(bytes, count, seed) {
  const random = seeded(seed);
  const below = (end) => Math.floor(random() * end);
  for (let i = 0; i < count; i++) {
    const [at, length] = [below(bytes.length), 1 + below(40)];
    const piece = bytes.subarray(at, at + length);
    const isRepeat = random() < 0.3;
    const values = Uint8Array.from(piece, () => 0x20 + below(0x5f));
    yield () =>
      Uint8Array.from([
        ...bytes.subarray(0, at),
        ...(isRepeat ? [...piece, ...piece] : values),
        ...bytes.subarray(at + length),
      ]);
  }
}

export const attack = {
  name: 'ledger-flips',
  promise:
    'A ledger that was damaged is refused, or says what it said before: damage never makes room in a budget.',
  minutes: 6,
  async run({ quick, scratch, seed, log }) {
    const found = { flips: 0, cases: 0, files: 0, refused: 0, same: 0, changed: 0, free: 0 };
    const file = path.join(scratch, 'ledger.json');
    await spentLedger(file);
    const bytes = new Uint8Array(await readFile(file));
    found.flips = 8 * bytes.length;
    const whole = await contentsOf(holding(bytes));
    const isSpent = (damaged) =>
      privatize(STUDY, DATA, { ledger: createLedger(holding(damaged)) }).then(
        () => false,
        (error) => error.code === 'over-budget',
      );
    if (!(await isSpent(bytes))) throw new Error('the budget is not spent to begin with');
    const all = [...damages(bytes), ...randomDamage(bytes, 10_000, seed)];
    const stride = quick ? 499 : 1;
    for (let at = seed % stride; at < all.length; at += stride) {
      const damaged = all[at]();
      found.cases += 1;
      let said = await contentsOf(holding(damaged));
      if (found.cases % FILES_EVERY === 0) {
        found.files += 1;
        await writeFile(file, damaged);
        const inFile = await contentsOf(fileStorage(file));
        if (said === whole) said = inFile;
        else said ??= inFile;
      }
      if (said === undefined) found.refused += 1;
      else if (said === whole) found.same += 1;
      else {
        found.changed += 1;
        const isFree = !(await isSpent(damaged));
        if (isFree) found.free += 1;
        log(`case ${at}: read as something else${isFree ? ', with room in the budget' : ''}`);
      }
      if (found.cases % 10_000 === 0) log(`${found.cases} cases`);
    }
    return found;
  },
  tried: (n) =>
    `${n.cases.toLocaleString('en-US')} damaged copies of a ledger, each of its ${n.flips.toLocaleString('en-US')} one-bit flips and every truncation among them; ${n.files.toLocaleString('en-US')} of the copies as files, too`,
  found: (n) =>
    `${n.changed} read as something else, ${n.free} with room in the budget; ${n.same} differ in nothing that is read`,
  holds: (n) => n.changed === 0 && n.free === 0 && n.refused > 0,
};
