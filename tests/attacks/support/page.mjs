// The attacks and their records, and the tables of docs/tested.md that are filled from them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const HERE = fileURLToPath(new URL('..', import.meta.url));
/** The folder of the records. */
export const RECORDS = path.join(HERE, 'records');
/** The kinds of attacks: damaged input, and long or broken work. */
export const KINDS = ['fuzz', 'soak'];

/** The attacks of a kind, by name. */
export async function attacksIn(kind) {
  const files = readdirSync(path.join(HERE, kind)).filter((file) => file.endsWith('.mjs'));
  const modules = await Promise.all(files.sort().map((file) => import(`../${kind}/${file}`)));
  return modules.map(({ attack }) => attack);
}

/** What the last full run of an attack found, or nothing if there was none. */
export function recordOf(name) {
  const file = path.join(RECORDS, `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** A text with commas in its large numbers. */
function grouped(text) {
  return text.replaceAll(/(?<![\d.])\d{4,}(?![\d.])/g, (digits) =>
    Number(digits).toLocaleString('en-US'),
  );
}

/** What a full run tried and found, in a sentence or two. */
function outcomeOf(attack) {
  const record = recordOf(attack.name);
  if (record === undefined) return 'not yet in full; the miniature holds';
  return grouped(`${attack.tried(record.numbers)}: ${attack.found(record.numbers)}`);
}

async function table(kind) {
  const rows = (await attacksIn(kind)).map((attack) => {
    const minutes = recordOf(attack.name)?.minutes ?? attack.minutes;
    return [
      attack.promise,
      outcomeOf(attack),
      `\`make ${kind} ONLY=${attack.name}\`, ${minutes} min`,
    ];
  });
  const head = ['promise', 'tried, and found', 'again'];
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The page with a table in each of its blocks, `<!-- results: KIND -->` to `<!-- end -->`. */
export async function fill(page) {
  let filled = page;
  for (const kind of KINDS) {
    const block = new RegExp(`(<!-- results: ${kind} -->\n)[\\s\\S]*?(<!-- end -->)`);
    if (!block.test(page)) throw new Error(`the page has no block for ${kind}`);
    const made = await table(kind);
    filled = filled.replace(block, (_, open, end) => `${open}\n${made}\n\n${end}`);
  }
  return filled;
}
