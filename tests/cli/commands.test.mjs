// The command line as people run it: the built program, in a folder with two sites of the census sample.

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import canonicalize from 'canonicalize';
import { parseRelease, parseStudy } from 'private-moments';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { censusCsv, censusStudy, dealOut, writeSample } from '../../samples/split.mjs';
import { headersFor } from '../../web/site/headers.js';
import { PROGRAM, run, start } from './program.mjs';

const TIMEOUT = 60_000;
const SITES = dealOut(censusCsv(), 10).slice(0, 2);

let folder;
const at = (name) => join(folder, name);
const textOf = (name) => readFileSync(at(name), 'utf8');
const pm = (args, input) => run(folder, args, input);

/** Expects success; returns what the program printed. */
async function done(args, input) {
  const result = await pm(args, input);
  expect({ args, said: result.said, status: result.status }).toMatchObject({ status: 0 });
  return result;
}

/** Expects a failure that says `code`, and changes no file. */
async function failed(args, status, said, input) {
  const before = readdirSync(folder);
  const result = await pm(args, input);
  expect(result.said).toMatch(said);
  expect(result.status).toBe(status);
  expect(result.out).toBe('');
  expect(readdirSync(folder)).toEqual(before);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'command-line-'));
  writeSample(folder, { study: censusStudy(), sites: SITES });
  mkdirSync(at('bin'));
  symlinkSync(PROGRAM, at('bin/private-moments'));
  mkdirSync(at('dist/site'), { recursive: true });
  writeFileSync(at('dist/site/index.html'), '<title>site</title>');
  mkdirSync(at('releases'));
  for (const site of ['site-01', 'site-02']) {
    const out = `releases/${site}.release.json`;
    await done(['privatize', 'study.json', `${site}.csv`, '--out', out]);
    // Beside the data, too, as the examples of the help have them.
    if (site === 'site-02') writeFileSync(at(`${site}.release.json`), textOf(out));
  }
}, TIMEOUT);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('help', () => {
  test(
    'lists every command, and the example of each runs as printed',
    async () => {
      const { out } = await done(['--help']);
      const names = [...out.matchAll(/^ {2}([\w-]+) {2,}/gm)].map(([, name]) => name);
      const elsewhere = ['relay', 'export', 'import', 'sum'];
      const own = names.filter((name) => !elsewhere.includes(name));
      expect(own).toHaveLength(19);
      for (const name of own) {
        const help = (await done([name, '--help'])).out;
        const [, example] = /\nExample:\n {2}(private-moments .+)\n$/.exec(help) ?? [];
        expect(example, name).toMatch(new RegExp(`^private-moments ${name} `));
        if (name === 'serve') continue;
        const line = `PATH=${at('bin')}:$PATH; ${example}`;
        const { child, ended } = start(folder, ['bash', '-c', line]);
        child.stdin.end();
        const { status, said } = await ended;
        // An audit that looks at random draws may be wrong now and then.
        expect({
          example,
          said,
          fits: name === 'audit' ? [0, 3].includes(status) : status === 0,
        }).toMatchObject({ fits: true });
      }
    },
    2 * TIMEOUT,
  );

  test('suggests the command, option, view and column that was meant', async () => {
    await failed(['privatise'], 2, /no command privatise: did you mean privatize\?/);
    await failed(['pca', 'study.json', 'releases', '--repot', 'x'], 2, /did you mean --report\?/);
    await failed(
      ['ridge', 'study.json', 'releases', '--target', 'hour'],
      1,
      /invalid-view: .*did you mean hours\?/,
    );
    await failed(['cca', 'study.json', 'releases', '--x', 'peple'], 1, /did you mean people\?/);
    await failed(
      ['inspect', 'study.json', 'site-01.csv', '--map', 'hour=x'],
      1,
      /invalid-mapping: .*did you mean hours\?/,
    );
  });
});

describe('wrong arguments', () => {
  test('are named, before anything is read', async () => {
    await failed(['privatize'], 2, /STUDY is missing\nprivate-moments privatize --help/);
    await failed(['privatize', 'study.json'], 2, /DATA is missing/);
    await failed(['inspect', 'a', 'b', 'c'], 2, /too many arguments: it takes STUDY DATA/);
    await failed(['inspect', '-', '-'], 2, /only one argument can be -/);
    await failed(['forecast', 'study.json'], 2, /--rows is missing/);
    await failed(['forecast', 'study.json', '--rows', 'many'], 2, /--rows must be a number/);
    await failed(['forecast', 'study.json', '--rows'], 2, /--rows needs a value/);
    await failed(
      ['pca', 'study.json', 'releases', '--out', '--json'],
      2,
      /--out needs a value; write --out=VALUE/,
    );
    await failed(['pca', 'study.json', 'releases', '--json', '--csv'], 2, /--json and --csv/);
    await failed(['pca', 'study.json', 'releases', '--json=yes'], 2, /--json takes no value/);
    await failed(
      ['pca', 'study.json', 'releases', '--level', '.9', '--level', '.8'],
      2,
      /--level may be given once/,
    );
    await failed(['ridge', 'study.json', 'releases'], 2, /--target is missing/);
    await failed(['synthesize', 'study.json', 'releases'], 2, /--rows is missing/);
    await failed(['audit'], 2, /MECHANISM is missing/);
    await failed(['verify', 'study.json'], 2, /RELEASE is missing/);
    await failed(['study', 'study.json', 'x'], 2, /too many arguments: it takes one STUDY/);
    await failed(['study', 'inti', 'x'], 2, /no action inti: did you mean init\?/);
    await failed(['cca', 'study.json', 'releases', '--views', 'work'], 2, /--views must be two/);
    await failed(['serve', 'dist/site', '--port', '70000'], 2, /--port must be/);
    await failed(['ledger', 'lst'], 2, /no action lst: did you mean list\?/);
    await failed(
      ['study', 'study.json', '--title', 'x'],
      2,
      /--title does not go with study STUDY/,
    );
  });
});

describe('files', () => {
  test('that cannot be read are named', async () => {
    await failed(
      ['study', 'nowhere.json'],
      1,
      /input-unreadable: nowhere\.json: there is no such file/,
    );
    await failed(
      ['inspect', 'study.json', 'releases'],
      1,
      /input-unreadable: releases: it is a folder/,
    );
    await failed(
      ['pca', 'study.json', 'bin'],
      1,
      /input-unreadable: bin: the folder has no file that ends in \.json/,
    );
    await failed(['study', 'site-01.csv'], 1, /invalid-study: site-01\.csv: /);
    await failed(
      ['assemble', 'study.json', 'study.json'],
      1,
      /release-unreadable: study\.json: release 1: /,
    );
    await failed(['serve', 'releases'], 1, /input-unreadable: FOLDER: .* has no index\.html/);
  });

  test('are not overwritten, and need a folder that exists', async () => {
    writeFileSync(at('mine.txt'), 'mine');
    await failed(
      ['pca', 'study.json', 'releases', '--out', 'mine.txt'],
      1,
      /output-exists: --out: mine\.txt exists/,
    );
    await failed(
      ['pca', 'study.json', 'releases', '--report', 'mine.txt'],
      1,
      /output-exists: --report: /,
    );
    await failed(
      ['pca', 'study.json', 'releases', '--out', 'no/x.txt'],
      1,
      /output-unwritable: --out: .* folder .*no does not exist/,
    );
    await failed(
      ['pca', 'study.json', 'releases', '--out', 'bin'],
      1,
      /output-unwritable: --out: .* not a file/,
    );
    expect(textOf('mine.txt')).toBe('mine');
    await done(['study', 'study.json', '--out', 'mine.txt', '--force']);
    expect(textOf('mine.txt')).toContain('People and work');
  });

  test('of every command that writes need a folder that exists, and leave nothing there', async () => {
    const writers = [
      ['study', 'study.json'],
      ['study', 'init', 'site-01.csv'],
      ['study', 'template', 'study.json'],
      ['forecast', 'study.json', '--rows', '100'],
      ['inspect', 'study.json', 'site-01.csv'],
      ['privatize', 'study.json', 'site-01.csv', '--no-ledger'],
      ...['assemble', 'pca', 'cca'].map((name) => [name, 'study.json', 'releases']),
      ['ridge', 'study.json', 'releases', '--target', 'hours'],
      ['synthesize', 'study.json', 'releases', '--rows', '10'],
      ['ledger', 'list'],
      ['ledger', 'export'],
    ];
    for (const args of writers) {
      await failed(
        [...args, '--out', 'no/x'],
        1,
        /output-unwritable: --out: no\/x cannot be written: the folder .*no does not exist/,
      );
    }
  });

  test('have no control characters that could steer a terminal', async () => {
    const study = { ...censusStudy(), 'red \u001b[31m\u202e': 1 };
    const { said: refused } = await pm(['study', '-'], JSON.stringify(study));
    expect(refused).toContain('red \ufffd[31m\ufffd');
    const { said } = await pm(['study', '\u001b[31m']);
    expect(said).not.toContain('\u001b');
  });
});

describe('study', () => {
  test('prints a study for people and for programs, from a file, a link or a pipe', async () => {
    const study = parseStudy(textOf('study.json'));
    const { out } = await done(['study', 'study.json', '--link', 'https://example.org/']);
    expect(out).toContain(study.id);
    expect(out).toMatch(/^hours +0 to 80 +h\/week +Working hours$/m);
    expect(out).toContain('ε = 1 and δ = 10⁻⁶');
    const link = /^https:.*$/m.exec(out)[0];
    const fromLink = JSON.parse((await done(['study', link, '--json'])).out);
    const fromPipe = JSON.parse((await done(['study', '-', '--json'], textOf('study.json'))).out);
    expect(fromLink).toEqual(fromPipe);
    expect(fromLink).toMatchObject({ id: study.id, guarantee: { epsilon: 1 } });
  });

  test('begins a study from the header alone, and leaves bounds to people', async () => {
    const { out, said } = await done(
      ['study', 'init', '-', '--columns', 'age,hours'],
      SITES[0].csv,
    );
    const begun = JSON.parse(out);
    expect(begun.columns).toEqual(
      ['age', 'hours'].map((name) => ({ name, type: 'number', min: null, max: null })),
    );
    expect(begun.privacy).toEqual({ epsilon: null, delta: null });
    expect(said).toContain('never from the data');
    // Nothing of a row is in it, so the same header with other rows begins the same study.
    const other = `${SITES[0].csv.split('\n', 1)[0]}\n1,2,3\n`;
    expect((await done(['study', 'init', '-', '--columns', 'age,hours'], other)).out).toBe(out);
    await failed(['study', '-'], 1, /invalid-study: standard input: title/, out);
    await failed(
      ['study', 'init', '-', '--columns', 'agee'],
      1,
      /missing-column: --columns: .*did you mean age\?/,
      other,
    );
    await failed(
      ['study', 'init', '-'],
      1,
      /csv-encoding: standard input: /,
      Buffer.from([0xff, 0xfe, 0x80]),
    );
  });

  const LIMITS = [
    ...['--title', 'Age and work', '--epsilon', '1', '--delta', '1e-6'],
    ...['--bounds', 'age=18,90', '--levels', 'married=no,yes'],
  ];

  test('begins a whole study where everything is stated, which needs no more', async () => {
    const args = ['study', 'init', 'site-01.csv', '--columns', 'age,married', ...LIMITS];
    const { out, said } = await done(args);
    expect(said).toContain('The study is complete.');
    expect(parseStudy(out).columns).toMatchObject([
      { name: 'age', type: 'number', min: 18, max: 90 },
      { name: 'married', type: 'category', levels: ['no', 'yes'] },
    ]);
    await failed([...args, '--bounds', 'age=1,2'], 2, /name the column age twice/);
    await failed([...args, '--bounds', 'agee=1,2'], 1, /missing-column: .*did you mean age\?/);
    await failed([...args, '--bounds', 'age=18'], 2, /--bounds must be COLUMN=MIN,MAX/);
    await failed([...args, '--levels', 'age'], 2, /--levels must be COLUMN=A,B/);
    const swapped = args.map((each) => (each === 'age=18,90' ? 'age=90,18' : each));
    await failed([...swapped, '--out', 'x.json'], 1, /invalid-bounds: /);
  });

  test('asks for what is missing, again after an answer that it cannot read', async () => {
    const args = ['study', 'init', 'site-01.csv', '--columns', 'age,hours,married', '--ask'];
    const answers = ['90 to 18', '18 to 90', '', 'no, yes', 'Age and work', 'much', '1', '1e-6'];
    const { out, said } = await done(args, `${answers.join('\n')}\n`);
    expect(said).toMatch(/age: This is not an answer\. age: hours: married: Title of the study: /);
    const stated = ['study', 'init', 'site-01.csv', '--columns', 'age,married', ...LIMITS];
    expect(out).toBe((await done(stated)).out);
    await failed(
      [...args, '--out', 'x.json'],
      1,
      /input-unreadable: standard input ended at the question: hours/,
      '18 to 90\n',
    );
    await failed(['study', 'init', '-', '--ask'], 2, /--ask reads answers from standard input/);
  });

  test('prints the template that participants fill in', async () => {
    const { out } = await done(['study', 'template', 'study.json']);
    expect(out).toBe('age,education,female,married,hours,over_50k,occupation\r\n');
  });
});

test('forecast prints tables, JSON and CSV of the same numbers', async () => {
  const args = ['forecast', 'study.json', '--rows', '48842', '--sites', '10'];
  const { correlations, verdict } = JSON.parse((await done([...args, '--json'])).out);
  const csv = (await done([...args, '--csv'])).out.trim().split('\r\n');
  expect(csv).toHaveLength(correlations.length + 1);
  expect(Number(csv[1].split(',')[1])).toBe(correlations[0].expected);
  expect((await done(args)).out).toContain(verdict === 'weak' ? 'At risk' : '');
});

describe('inspect', () => {
  test('counts a file and a pipe alike, and records nothing', async () => {
    const before = textOf('state/private-moments/ledger.json');
    const fromFile = JSON.parse(
      (await done(['inspect', 'study.json', 'site-01.csv', '--json'])).out,
    );
    const piped = await done(['inspect', 'study.json', '-', '--json'], SITES[0].csv);
    expect(JSON.parse(piped.out)).toEqual(fromFile);
    expect(fromFile.rows).toBe(SITES[0].csv.trim().split('\n').length - 1);
    expect(textOf('state/private-moments/ledger.json')).toBe(before);
  });

  test('reads decimal commas and other names', async () => {
    const study = {
      ...censusStudy(),
      columns: [{ name: 'bmi', type: 'number', min: 10, max: 60 }],
      views: undefined,
    };
    writeFileSync(at('bmi.json'), JSON.stringify(study));
    const args = ['inspect', 'bmi.json', '-', '--csv'];
    const csv = 'BMI;x\n24,5;1\n31;2\n-9;3\n';
    const reading = [
      '--map',
      'bmi=BMI',
      '--csv-decimal',
      ',',
      '--csv-delimiter',
      ';',
      '--missing-value',
      '-9',
    ];
    expect((await pm([...args, ...reading], csv)).said).toMatch(
      /--missing-value needs a value; write --missing-value=VALUE/,
    );
    reading.splice(-2, 2, '--missing-value=-9');
    expect((await done([...args, ...reading], csv)).out).toBe(
      'column,from,missing,outside\r\nbmi,BMI,1,0\r\n',
    );
    await failed(
      [...args, '--map', 'bmi=BMI', '--csv-delimiter', ';'],
      1,
      /decimal-mark: row 1, column "bmi"/,
      csv,
    );
  });
});

describe('privatize', () => {
  const ledger = async () => JSON.parse((await done(['ledger', '--json'])).out);

  test('writes the bytes of one release, and says where it is recorded and what was spent', async () => {
    const { out, said } = await done(['privatize', 'study.json', '-'], SITES[0].csv);
    const release = parseRelease(out);
    expect(release.study).toBe(parseStudy(textOf('study.json')).id);
    expect(said.replaceAll('\n', ' ')).toContain(at('state/private-moments/ledger.json'));
    expect(said.replaceAll('\n', ' ')).toMatch(/\d releases of these data, together ε = /);
    const { dataSets } = await ledger();
    const entries = dataSets.flatMap((set) => set.entries);
    expect(entries.map((entry) => entry.release)).toContain(release.id);
    expect(entries.map((entry) => entry.file)).toContain('site-02.csv');
    // No newline is in the file, whose bytes are those that a page would write.
    expect(textOf('releases/site-01.release.json').endsWith('}')).toBe(true);
  });

  test('spends nothing where its output could not be written', async () => {
    const before = await ledger();
    const args = ['privatize', 'study.json', 'site-02.csv'];
    await failed([...args, '--out', 'no/x.json'], 1, /output-unwritable: --out: /);
    await failed([...args, '--out', 'study.json'], 1, /output-exists: --out: /);
    await failed([...args, '--ledger', 'no/ledger.json'], 1, /output-unwritable: --ledger: /);
    expect(await ledger()).toEqual(before);
  });

  test('spends nothing, and leaves no file, where the data are wrong', async () => {
    const before = await ledger();
    const args = ['privatize', 'study.json', '-', '--out', 'x.json'];
    await failed(args, 1, /missing-column: /, 'a,b\n1,2\n');
    await failed(args, 1, /ragged-row: row 1: /, SITES[0].csv.replace(/\n.*\n/, '\n1,2\n'));
    expect(await ledger()).toEqual(before);
  });

  test('says in words that nothing is recorded, where people want that', async () => {
    const before = await ledger();
    const { said } = await done(['privatize', 'study.json', '-', '--no-ledger'], SITES[0].csv);
    expect(said).toMatch(/^Warning: no ledger\./);
    expect(await ledger()).toEqual(before);
    await failed(
      ['privatize', 'study.json', '-', '--no-ledger', '--data-set', 'x'],
      2,
      /--no-ledger goes neither/,
    );
  });

  test('refuses what is over the budget of another ledger, which it can be pointed to', async () => {
    const own = ['--ledger', 'own.json'];
    await done(['ledger', 'budget', '1', '1e-6', ...own]);
    await done(['privatize', 'study.json', 'site-01.csv', ...own, '--out', 'first.json']);
    await failed(
      ['privatize', 'study.json', 'site-01.csv', ...own, '--out', 'second.json'],
      1,
      /over-budget: /,
    );
    const [entry] = JSON.parse((await done(['ledger', ...own, '--json'])).out).entries;
    await failed(['ledger', 'remove', entry.id, ...own], 2, /--reason TEXT is missing/);
    await done(['ledger', 'remove', entry.id, '--reason', 'never sent', ...own]);
    expect((await done(['ledger', ...own])).out).toContain('never sent');
    const csv = (await done(['ledger', ...own, '--csv'])).out;
    expect(csv).toContain(entry.id);
    await done(['privatize', 'study.json', 'site-01.csv', ...own, '--out', 'second.json']);
    const exported = (await done(['ledger', 'export', '--secret', ...own])).out;
    const { said } = await done(['ledger', 'import', '-', '--ledger', 'moved.json'], exported);
    expect(said).toContain('2 entries added');
    await failed(
      ['ledger', 'import', '-', '--ledger', 'moved.json'],
      1,
      /ledger-unreadable: standard input: /,
      '{}',
    );
  });

  test('leaves no file and no entry after Ctrl-C', async () => {
    const before = { files: readdirSync(folder), ledger: await ledger() };
    const { child, ended } = start(folder, [
      process.execPath,
      PROGRAM,
      'privatize',
      'study.json',
      '-',
      '--out',
      'x.json',
    ]);
    child.stdin.write(SITES[0].csv);
    // Once its unfinished output is there, it waits for the rest of its input.
    while (!readdirSync(folder).some((name) => name.startsWith('x.json'))) await after(10);
    child.kill('SIGINT');
    const { status, out, said } = await ended;
    expect({ status, out }).toEqual({ status: 130, out: '' });
    expect(said).toContain('private-moments: cancelled: ');
    expect(readdirSync(folder)).toEqual(before.files);
    expect(await ledger()).toEqual(before.ledger);
  });
});

describe('results', () => {
  const rows = SITES.reduce((sum, { csv }) => sum + csv.trim().split('\n').length - 1, 0);

  test.each([
    ['assemble', 'moments', []],
    ['pca', 'pca', ['--components', '2']],
    ['cca', 'cca', ['--x', 'people', '--y', 'work']],
    ['ridge', 'ridge', ['--target', 'hours', '--features', 'age,education']],
  ])('of %s are tables, JSON, CSV and a report', async (command, analysis, options) => {
    const args = [command, 'study.json', 'releases', ...options];
    const json = JSON.parse((await done([...args, '--json'])).out);
    expect(json).toMatchObject({ analysis, rows, guarantee: { epsilon: 1, delta: 1e-6 } });
    const { out, said } = await done([
      ...args,
      '--report',
      `${command}.html`,
      '--out',
      `${command}.csv`,
      '--csv',
    ]);
    expect({ out, said }).toEqual({ out: '', said: `The report is in ${command}.html.\n` });
    expect(textOf(`${command}.csv`)).toMatch(new RegExp(`^analysis,quantity,.*\r\n${analysis},`));
    const report = textOf(`${command}.html`);
    expect(report).toContain('<!doctype html>');
    expect(report).toContain('site-02.release.json');
    const text = (await done(args)).out;
    expect(text).toContain(`${rows.toLocaleString('en')} rows in 2 releases`);
    expect(text).toContain('ε = 1 and δ = 10⁻⁶');
    // A column for intervals only where there are some.
    expect(text).not.toMatch(/ interval/);
  });

  test('are the same from files and from a pipe with a release on each line', async () => {
    const texts = ['site-01', 'site-02'].map((site) => textOf(`releases/${site}.release.json`));
    const piped = await done(['pca', 'study.json', '-', '--json'], `${texts.join('\n')}\n`);
    expect(piped.out).toBe((await done(['pca', 'study.json', 'releases', '--json'])).out);
    const twice = /duplicate-release: standard input, line 2: release 2/;
    await failed(['pca', 'study.json', '-'], 1, twice, `${texts[0]}\n${texts[0]}\n`);
  });

  test('of a study of directions are these', async () => {
    const study = {
      ...censusStudy(),
      mechanism: { name: 'ppca', components: 2 },
      clipping: 'fixed',
      privacy: { epsilon: 1, delta: 0 },
    };
    writeFileSync(at('ppca.json'), JSON.stringify(study));
    const release = (await done(['privatize', 'ppca.json', 'site-01.csv', '--no-ledger'])).out;
    expect(
      JSON.parse((await done(['assemble', 'ppca.json', '-', '--json'], release)).out),
    ).toMatchObject({ analysis: 'components' });
    expect((await done(['assemble', 'ppca.json', '-'], release)).out).toContain('loading');
    expect((await done(['verify', 'ppca.json', '-'], release)).out).toContain('ok');
    await failed(['pca', 'ppca.json', '-'], 1, /not-moments: .*private-moments assemble/, release);
  });
});

test('synthesize draws rows in the format that the file is called after', async () => {
  const args = ['synthesize', 'study.json', 'releases', '--rows', '20', '--seed', '7'];
  const csv = (await done(args)).out;
  expect(csv.trim().split('\r\n')).toHaveLength(21);
  await done([...args, '--out', 'rows.parquet']);
  expect(readFileSync(at('rows.parquet')).subarray(0, 4).toString()).toBe('PAR1');
  const { rows } = JSON.parse(
    (await done(['inspect', 'study.json', 'rows.parquet', '--json'])).out,
  );
  expect(rows).toBe(20);
  await failed(
    [...args, '--format', 'excel'],
    2,
    /--format must be csv or json or parquet or arrow/,
  );
  await failed([...args, '--label', 'occupaton'], 1, /unsupported-option|invalid-/);
});

describe('verify', () => {
  test('accepts releases of the study, and says of each other why not', async () => {
    const { out } = await done(['verify', 'study.json', 'releases', '--json']);
    expect(JSON.parse(out).map(({ ok }) => ok)).toEqual([true, true]);
    const good = textOf('releases/site-01.release.json');
    const altered = good.replace(/"values":\[(-?\d)/, '"values":[1$1');
    // Its digest fits, so only the study shows that the guarantee is claimed.
    const claim = JSON.parse(good);
    delete claim.id;
    claim.guarantee.epsilon = 0.5;
    claim.id = createHash('sha256').update(canonicalize(claim)).digest('hex');
    const checked = await pm(
      ['verify', 'study.json', '-', '--json'],
      [altered, good, good, JSON.stringify(claim)].join('\n'),
    );
    expect(checked.status).toBe(3);
    expect(JSON.parse(checked.out).map(({ ok, code }) => code ?? ok)).toEqual([
      'release-altered',
      true,
      'duplicate-release',
      'wrong-guarantee',
    ]);
    const other = { ...censusStudy(), title: 'Another' };
    writeFileSync(at('other.json'), JSON.stringify(other));
    const { status, out: said } = await pm(['verify', 'other.json', 'releases']);
    expect(status).toBe(3);
    expect(said).toMatch(/^NOT OK +releases\/site-01\.release\.json +wrong-study: /m);
  });

  test('compares a saved page with its published hash', async () => {
    writeFileSync(at('private-moments.html'), '<title>page</title>');
    const hash = createHash('sha256').update('<title>page</title>').digest('hex');
    const page = ['verify', 'private-moments.html'];
    await failed(page, 2, new RegExp(`its SHA-256 is ${hash}`));
    await failed(['verify', 'no.html'], 1, /input-unreadable: no\.html: there is no such file/);
    expect((await done([...page, '--sha256', hash])).out).toMatch(/^ok /m);
    const refuted = await pm([...page, '--sha256', '0'.repeat(64)]);
    expect([refuted.status, refuted.out]).toEqual([3, expect.stringContaining('hash-mismatch')]);
    writeFileSync(at('private-moments.html.sha256'), `${hash}  private-moments.html\n`);
    await done(page);
  });
});

describe('audit', () => {
  test('finds that a mutant breaks its promise', async () => {
    const args = [
      'audit',
      'gaussian',
      '--epsilon',
      '1',
      '--noise',
      '0.05',
      '--runs',
      '300',
      '--json',
    ];
    const { status, out } = await pm(args);
    expect([status, JSON.parse(out)]).toMatchObject([3, { passes: false, runs: 300 }]);
  });

  test('lists the mechanisms', async () => {
    const { out } = await done(['audit', '--list']);
    expect(out.split('\n')).toEqual(expect.arrayContaining(['gaussian', 'symmetric-noise']));
    await failed(['audit', 'gausian', '--epsilon', '1'], 1, /invalid-mechanism: /);
  });
});

test('serve prints its address, sends the headers of the site’s list, and ends with Ctrl-C', async () => {
  const list = headersFor(
    `<meta http-equiv="Content-Security-Policy" content="script-src 'sha256-a'; style-src 'sha256-b'">`,
  );
  writeFileSync(at('dist/site/_headers'), list);
  mkdirSync(at('dist/site/assets'));
  const files = ['index.html', 'sw.js', 'assets/worker.js', 'assets/module.wasm'];
  for (const name of files.slice(1)) writeFileSync(at(`dist/site/${name}`), '');
  const args = [PROGRAM, 'serve', 'dist/site', '--port', '0'];
  const { child, texts, ended } = start(folder, [process.execPath, ...args]);
  while (!texts.out.includes('\n')) await after(10);
  const url = texts.out.trim();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(await (await fetch(url)).text()).toBe('<title>site</title>');
  const [everywhere, assets, worker] = list.split(/^\/.*\n/m).slice(1);
  const stated = { 'assets/worker.js': assets, 'assets/module.wasm': assets, 'sw.js': worker };
  for (const name of [...files, 'none.html']) {
    const { headers } = await fetch(url + name);
    const lines = (everywhere + (stated[name] ?? '')).trim().split(/\n */);
    expect(lines.length, name).toBeGreaterThan(6);
    for (const line of lines) {
      const [, header, value] = /^([\w-]+): (.*)$/.exec(line);
      expect(headers.get(header), `${header} of ${name}`).toBe(value);
    }
  }
  child.kill('SIGINT');
  expect((await ended).status).toBe(0);
  const taken = createServer();
  await new Promise((listening) => taken.listen(0, '127.0.0.1', listening));
  const { port } = taken.address();
  await failed(
    ['serve', 'dist/site', '--port', String(port)],
    1,
    /port-unavailable: port \d+ is taken/,
  );
  await new Promise((closed) => taken.close(closed));
});

test('a reader that has enough does not make it fail', async () => {
  const line = `PATH=${at('bin')}:$PATH; set -o pipefail; private-moments study study.json | head -n 1`;
  const { child, ended } = start(folder, ['bash', '-c', line]);
  child.stdin.end();
  expect(await ended).toMatchObject({ status: 0, said: '' });
});

test('what a killed process of the same number left is not in the way', async () => {
  // As in a container, where a program has the same number each time.
  const line = `touch "kept.csv.$$.partial"; exec "${process.execPath}" "${PROGRAM}" study template study.json --out kept.csv`;
  const { child, ended } = start(folder, ['bash', '-c', line]);
  child.stdin.end();
  expect(await ended).toMatchObject({ status: 0 });
  expect(textOf('kept.csv')).toMatch(/^age,/);
  for (const name of readdirSync(folder)) {
    if (/^kept\.csv\.\d+\.partial$/.test(name)) rmSync(at(name));
  }
});

test('a file is on the disk, and then its name, before a command ends', async () => {
  const spy = `
    import files from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    const { open, rename } = files;
    files.open = async (path, ...options) => {
      const file = await open(path, ...options);
      const sync = file.sync.bind(file);
      file.sync = () => sync().then(() => console.error('sync', path));
      return file;
    };
    files.rename = (from, to) => rename(from, to).then(() => console.error('rename', to));
    syncBuiltinESMExports();`;
  const hook = `data:text/javascript,${encodeURIComponent(spy)}`;
  const args = ['study', 'template', 'study.json', '--out', 'durable.csv'];
  const { child, ended } = start(folder, [process.execPath, '--import', hook, PROGRAM, ...args]);
  child.stdin.end();
  const { status, said } = await ended;
  expect(status).toBe(0);
  const steps = said.split('\n').filter((line) => /^(?:sync|rename) /.test(line));
  expect(steps.map((step) => step.replace(/\.[0-9a-f]{8}\.partial$/, '.partial'))).toEqual([
    'sync durable.csv.partial',
    'rename durable.csv',
    'sync .',
  ]);
});

test('no unfinished file is left', () => {
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  expect(existsSync(at('x.json'))).toBe(false);
});
