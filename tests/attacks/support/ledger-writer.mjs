// A process that writes to a ledger until it is killed, and notes on the disk what is confirmed to be in it:
//
//   node ledger-writer.mjs releases|budgets LEDGER FOLDER NUMBER
//
// Prints a line after each confirmation.
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createLedger, defineStudy, privatize } from 'private-moments';
import { fileStorage } from 'private-moments/node';

const [kind, file, folder, number] = process.argv.slice(2);
const ledger = createLedger(fileStorage(file));

const study = defineStudy({
  title: 'Sleep',
  columns: [{ name: 'hours', type: 'number', min: 0, max: 1e9 }],
  privacy: { epsilon: 0.001, delta: 1e-6 },
});

/** A release of other data each time, which is then on the disk. */
async function release(i) {
  const made = await privatize(study, `hours\n${number}.${i + 1}\n`, { ledger });
  writeFileSync(path.join(folder, `${made.id}.release.json`), await made.toBlob().text());
}

/** A budget of its own each time, which stays in the history. */
async function budget(i) {
  const epsilon = 1 + Number(number) + i / 1e6;
  await ledger.budget({ epsilon, delta: 1e-6 });
  appendFileSync(path.join(folder, `${number}.budgets`), `${epsilon}\n`);
}

const step = kind === 'releases' ? release : budget;
for (let i = 0; ; i++) {
  await step(i);
  process.stdout.write(`${i}\n`);
}
