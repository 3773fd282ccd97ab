// The tables of docs/scale.md: those that bench/scale.mjs measures, and the plan that follows from them.

const MEGA = 1e6;
const GIGA = 1e9;
const CORES = 8;
const SHARDS = 2;
const PARTICIPANTS = 1_000_000;
/** Releases in a file, in the middle of what the page recommends. */
const IN_A_FILE = 25_000;
/** What a disk reads or writes, in bytes a second. */
const DISK = 250 * MEGA;

/** Rounded to a number of digits, without an exponent. */
export const digits = (value, count) => String(Number(value.toPrecision(count)));
const line = (cells) => `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ');
const markdown = (head, rows) =>
  [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
/** Whole numbers from five digits on have a space between thousands. */
const grouped = (value) =>
  value >= 10_000 ? value.toLocaleString('en').replaceAll(',', ' ') : String(value);

/**
 * The time of each step: of the whole command, of the processor, and for one release.
 * @param {{ name: string, seconds?: number, cpu?: number, items?: number }[]} steps `seconds` undefined
 * where only the cost of one release is known, `items` undefined where there is none
 */
export function costTable(steps) {
  const rows = steps.map(({ name, seconds, cpu, items }) => [
    name,
    seconds === undefined ? '' : seconds.toPrecision(3),
    cpu === undefined || seconds === undefined ? '' : cpu.toPrecision(3),
    items === undefined ? '' : digits((1000 * cpu) / items, 2),
  ]);
  return markdown(['', 's', 'processor s', 'ms of one core a release'], rows);
}

/** @param {[string, number][]} sizes bytes of one release in each form */
export function sizeTable(sizes) {
  const rows = sizes.map(([name, bytes]) => [name, grouped(Math.round(bytes))]);
  return markdown(['', 'bytes a release'], rows);
}

/** The rows of a table in a text: of the table whose row begins with `first`. */
export function tableWith(text, first) {
  const lines = text.split('\n');
  const found = lines.findIndex((line) => line.startsWith(`| ${first} |`));
  if (found < 0) throw new Error(`no table has a row "${first}"`);
  const start = lines.slice(0, found).findLastIndex((line) => !line.startsWith('|')) + 1;
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, start + length).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function duration(seconds) {
  return seconds < 100 ? `${digits(seconds, 2)} s` : `${Math.ceil(seconds / 60)} min`;
}

/**
 * The plan for a million participants as two tables of Markdown, and what one machine needs for each.
 * @param {string} page docs/scale.md, whose measured tables it multiplies
 */
export function planOf(page) {
  const costs = new Map(
    tableWith(page, 'export for ClickHouse').map(([name, , , ms]) => [name, Number(ms)]),
  );
  const sizes = new Map(
    tableWith(page, 'message to the helper').map(([name, bytes]) => [
      name,
      Number(bytes.replaceAll(' ', '')),
    ]),
  );
  const known = (map, name) => {
    const value = map.get(name);
    if (!(value > 0)) throw new Error(`docs/scale.md has no number in a row "${name}"`);
    return value;
  };
  const coreSeconds = (name) => (known(costs, name) * PARTICIPANTS) / 1000;
  const hours = (name) => digits(coreSeconds(name) / 3600, 2);
  const bytes = (name) => known(sizes, name) * PARTICIPANTS;
  const volume = (name) => `${digits(bytes(name) / GIGA, 2)} GB`;
  const onOne = (name) => `1 machine: ${duration(coreSeconds(name) / CORES)}`;
  /** The time of a number of machines for their work, and of their disks for reading the data. */
  const withDisk = (machines, name, doing, data) =>
    [
      `${duration(coreSeconds(name) / CORES / machines)}, plus ${doing} ${volume(data)}:`,
      `${duration(bytes(data) / machines / DISK)} at ${DISK / MEGA} MB/s${machines > 1 ? ' each' : ''}`,
    ].join(' ');
  const onShards = (...work) => `${SHARDS} shards: ${withDisk(SHARDS, ...work)}`;
  const aDay = PARTICIPANTS / 86_400;
  const sent = bytes('masked: message to the analyst') + bytes('message to the helper');

  const plain = markdown(
    ['step', 'volume', 'core-hours', 'on', 'splits by'],
    [
      [
        'releases arrive',
        `${volume('release, JSON')} in a million files`,
        '',
        'object store or folders',
        '',
      ],
      [
        'export to Parquet',
        `${volume('Parquet')}, ${PARTICIPANTS / IN_A_FILE} files`,
        hours('export to Parquet'),
        onOne('export to Parquet'),
        'lists of files, any number of processes',
      ],
      [
        'DuckDB sum',
        `reads ${volume('Parquet')}`,
        hours('DuckDB: sum (query alone)'),
        `the same machine: ${withDisk(1, 'DuckDB: sum (query alone)', 'reading', 'Parquet')}`,
        'not at all',
      ],
      [
        'or: export for ClickHouse',
        '',
        hours('export for ClickHouse'),
        onOne('export for ClickHouse'),
        'lists of files',
      ],
      [
        'and insert',
        `${volume('ClickHouse, on disk')} on disk`,
        hours('ClickHouse, 2 shards: insert'),
        onShards('ClickHouse, 2 shards: insert', 'writing', 'ClickHouse, on disk'),
        'shards',
      ],
      [
        'and sum',
        `reads ${volume('ClickHouse, on disk')}`,
        hours('ClickHouse, 2 shards: sum'),
        onShards('ClickHouse, 2 shards: sum', 'reading', 'ClickHouse, on disk'),
        'shards',
      ],
      ['import, `assemble`', 'one file', '', 'anywhere', ''],
    ],
  );
  const masked = markdown(
    ['step', 'volume', 'core-hours', 'on', 'splits by'],
    [
      [
        'upload',
        `${volume('masked: message to the analyst')} to the analyst, ${volume('message to the helper')} to the helper; ${digits(aDay, 2)} a second over a day, ${digits(sent / 86_400 / MEGA, 2)} MB/s`,
        '',
        'relay, or any store of messages',
        "sessions' mailboxes",
      ],
      [
        'analyst opens and stores',
        volume('masked: Parquet'),
        hours('split: analyst opens a masked release'),
        onOne('split: analyst opens a masked release'),
        'messages',
      ],
      [
        'helper opens seeds',
        volume('message to the helper'),
        hours('split: helper opens a seed'),
        onOne('split: helper opens a seed'),
        'messages',
      ],
      ['pairs, claim', 'ids and commitments', '', "helper's database", ''],
      [
        'helper expands and adds',
        `${volume('masked: Parquet')} that are never stored`,
        hours('split: helper expands a seed and adds it'),
        onOne('split: helper expands a seed and adds it'),
        'seeds: partial sums add up',
      ],
      [
        'sum of the words',
        `reads ${volume('masked: ClickHouse')}`,
        `${hours('ClickHouse, 2 shards: sum, masked')} (ClickHouse), ${hours('DuckDB: sum, masked')} (DuckDB)`,
        onShards('ClickHouse, 2 shards: sum, masked', 'reading', 'masked: ClickHouse'),
        'shards',
      ],
    ],
  );
  const minutes = (names) => names.reduce((sum, name) => sum + coreSeconds(name), 0) / CORES / 60;
  return {
    plain,
    masked,
    /** On one machine, with DuckDB: minutes of all cores, and what is stored, in bytes. */
    alone: {
      plain: {
        minutes: minutes(['export to Parquet', 'DuckDB: sum (query alone)']),
        bytes: bytes('release, JSON') + bytes('Parquet'),
      },
      masked: {
        minutes: minutes([
          ...['split: analyst opens a masked release', 'split: helper opens a seed'],
          ...['split: helper expands a seed and adds it', 'DuckDB: sum, masked'],
        ]),
        bytes: bytes('masked: message to the analyst') + bytes('masked: Parquet'),
      },
    },
  };
}
