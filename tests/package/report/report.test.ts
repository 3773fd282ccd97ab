import {
  assemble,
  assembleComponents,
  defineStudy,
  privatize,
  type Guarantee,
  type Moments,
} from 'private-moments';
import { report, toCode, toCSV, toJSON, type ReportInput } from 'private-moments/report';
import * as format from 'private-moments/words';
import Papa from 'papaparse';
import { beforeAll, describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, seeded } from '../support.js';

const random = seeded(30);
const rows = Array.from({ length: 3000 }, () => {
  const sleep = 4 + 6 * random();
  return {
    age: 18 + 72 * random(),
    sleep,
    work: ['day', 'night', 'none'][Math.floor(3 * random())] ?? 'day',
    mood: (sleep - 7) * 1.2 + 2 * random() - 1,
  };
});
const study = defineStudy(definition());
const call = { x: 'life', y: 'mind', components: 1 };

let moments: Moments;
let all: ReportInput[];
let few: Moments;
beforeAll(async () => {
  moments = await assemble(study, [await privatize(study, rows), await privatize(study, rows)]);
  all = [moments, moments.ridge({ target: 'mood', level: 0.9 }), moments.pca(), moments.cca(call)];
  few = await assemble(study, [await privatize(study, rows.slice(0, 4))]);
});

/** The text as readers see it. */
const textOf = (html: string) =>
  html
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');

describe('a report', () => {
  it('says how many of the sites that the study expects are missing', () => {
    const missing = (sites?: number) => {
      const json = moments.toJSON();
      const study = { ...json.origin.study, ...(sites === undefined ? {} : { sites }) };
      return textOf(report({ ...json, origin: { ...json.origin, study } }));
    };
    expect(missing(3)).toContain('Releases 2 of 3 ');
    expect(missing(3)).toContain('2 of 3; one of the 3 sites is missing');
    expect(missing(2)).toContain('Releases 2 of 2 ');
    for (const sites of [undefined, 1, 2]) expect(missing(sites)).not.toContain('missing');
  });

  it('says which component is zero because the levels of a category add up to one', async () => {
    const nearlyExact = defineStudy({ ...definition(), privacy: { epsilon: 1e6, delta: 1e-6 } });
    const clear = await assemble(nearlyExact, [await privatize(nearlyExact, rows)]);
    const pca = clear.pca();
    const text = textOf(report([clear, pca]));
    expect(text).toContain(
      'The sixth is zero by construction: the levels of work add up to one in every row without gaps.',
    );
    expect(text).not.toContain('lost in the noise');
    expect(text).not.toContain('sixth principal component');
    // Without the moments a report does not know which features are levels of a category.
    expect(textOf(report(pca))).not.toContain('by construction');
  });

  it('lists the releases by name, rows and whole id, and leaves out what is not known', () => {
    const ids = ['0123456789abcdef0123456789abcdef', 'fedcba9876543210fedcba9876543210'];
    const named = textOf(
      report(all, { releases: ids.map((id, i) => ({ id, name: `north-${i}.json`, rows: 3000 })) }),
    );
    expect(named).toContain(`Release Rows Id north-0.json 3,000 ${ids[0] ?? ''}`);
    const bare = textOf(report(all, { releases: ids.map((id) => ({ id })) }));
    expect(bare).toContain(`Release Id 1 ${ids[0] ?? ''} 2 ${ids[1] ?? ''}`);
  });

  it('has a paragraph on methods, as far as they were used', () => {
    const methods = (results: ReportInput | ReportInput[]) =>
      / Methods (.*?) The same results in code/.exec(textOf(report(results)))?.[1] ?? '';
    expect(methods(moments)).toContain('ε = 1 and δ = 10⁻⁶');
    expect(methods(moments)).not.toMatch(/Intervals|floor/);
    expect(methods(moments.cca({ ...call, level: 0.9 }))).toMatch(
      /Intervals \(90%\).* come from \d+ simulations.*95% of draws/,
    );
    expect(methods(moments.pca())).toContain('94% of draws');
    expect(methods(moments.ridge({ target: 'mood', level: 0.8 }))).toMatch(
      /Intervals \(80%\) of the regression are by the delta method/,
    );
  });

  it('describes a score by the loadings beside its bars', () => {
    const cca = moments.cca(call);
    const text = textOf(report(cca));
    for (const [name, { loadings }] of Object.entries(cca.views)) {
      const [largest] = loadings.rows
        .map((column, i) => ({ column, loading: loadings.values[i] ?? 0 }))
        .sort((a, b) => Math.abs(b.loading) - Math.abs(a.loading));
      const { column, loading } = largest ?? { column: '', loading: 0 };
      expect(text).toMatch(
        new RegExp(
          `${name} A high score, by loadings: ${loading > 0 ? 'higher' : 'lower'} ${column}`,
          'i',
        ),
      );
    }
  });

  it('is a single document that loads and runs nothing', () => {
    const html = report(all);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(html).not.toMatch(
      /<(script|link|img|iframe|object|embed|form)\b|\b(?:src|href|style|on\w+)=|@import|url\((?!#)|https?:/,
    );
    expect(html).toContain('prefers-color-scheme:dark');
    expect(html).toContain('@media print');
  });

  it('states study, amount of data, guarantee, noise and version', () => {
    const text = textOf(report(all, { date: '21 November 2026' }));
    for (const said of [
      'Sleep and mood',
      study.id,
      'Releases 2',
      'Rows 6,000',
      'ε 1',
      'ε = 1 and δ = 10⁻⁶',
      'that differ in one row',
      'replace-one: one row replaced by any other',
      'Unit of privacy row',
      'A coin gets 50.',
      'Noise in each release discrete gaussian',
      'standard deviation',
      moments.origin.library.replace('/', ' '),
      '21 November 2026',
    ]) {
      expect(text).toContain(said);
    }
    for (const assumption of moments.guarantee?.assumes ?? ['none']) {
      expect(text).toContain(assumption);
    }
  });

  it('has no missing number, for any results', async () => {
    const one = await assemble(study, [await privatize(study, rows.slice(0, 2))]);
    const flat = await exactMoments(study, Array(5).fill(rows[0]) as object[] as never);
    const split = defineStudy({ ...definition(), mechanism: { name: 'ppca', components: 2 } });
    for (const results of [
      all,
      [few.cca(), few.pca(), few, few.ridge({ target: 'mood', level: 0.5 })],
      [one.pca(), one],
      [flat.pca(), flat.cca(), flat, flat.ridge({ target: 'mood' })],
      [await assembleComponents(split, [await privatize(split, rows)])],
    ] as ReportInput[][]) {
      expect(report(results)).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
    }
  });

  it('shows names as text, even if they look like markup', async () => {
    const names = ['<b>bold</b>', `"quoted" & 'so'`, '</style><script>'];
    const hostile = defineStudy({
      ...definition(),
      title: '<h1>Title</h1>',
      columns: names.map((name) => ({ name, type: 'number', min: 0, max: 1 })),
      views: { '<i>one</i>': names.slice(0, 1), two: names.slice(1) },
    });
    const values = Float64Array.from({ length: 300 }, () => random());
    const exact = await exactMoments(hostile, { columns: names, values });
    const target = names[0] ?? '';
    const html = report([exact, exact.pca(), exact.cca(), exact.ridge({ target })]);
    expect(html).not.toMatch(/<b>bold|<h1>Title|<i>one|<script/);
    expect(html).toContain('&lt;h1&gt;Title&lt;/h1&gt;');
    expect(html).toContain('&quot;quoted&quot; &amp; &#39;so&#39;');
  });

  it('has a table with every number of a figure, and a sentence about the figure', () => {
    const html = report(all);
    const figures = [...html.matchAll(/<svg role="img" aria-label="([^"]+)"/g)].map(
      ([, alt]) => alt,
    );
    expect(figures).toHaveLength(3);
    const cells = new Set(
      [...html.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, c]) => textOf(c ?? '').trim()),
    );
    const cca = moments.cca(call);
    expect(cells).toContain(format.correlation(cca.correlations[0]?.value ?? NaN, 3));
    for (const { share, value } of moments.pca().explained) {
      expect(cells).toContain(format.hundredths(share, 3));
      expect(cells).toContain(format.significant(value, 3));
    }
    const unnamed = /<table(?![^>]*class="left")[^>]*>(?!<caption)/.exec(html);
    expect(unnamed).toBeNull();
  });

  it('shows intervals if there are any', () => {
    const ridge = moments.ridge({ target: 'mood', level: 0.9 });
    const sleep = ridge.coefficients.find(({ column }) => column === 'sleep');
    const text = textOf(report(ridge));
    expect(text).toContain('90% interval');
    expect(text).toContain(
      `${format.signed(sleep?.low ?? NaN)} to ${format.signed(sleep?.high ?? NaN)}`,
    );
    const cca = structuredClone(moments.cca(call)) as never as {
      options: object;
      correlations: object[];
    };
    Object.assign(cca.options, { level: 0.95 });
    Object.assign(cca.correlations[0] ?? {}, { low: 0.71234, high: 0.89876 });
    expect(textOf(report(cca as never))).toContain('.712 to .899');
    expect(textOf(report(moments.cca(call)))).not.toContain('interval');
    const sure = moments.cca({ ...call, level: 0.9, draws: 50 });
    const { low, high } = sure.views.life?.weights ?? {};
    const [from = NaN, to = NaN] = [low?.[1], high?.[1]];
    const range = `${format.signed(from)} to ${format.signed(to)}`;
    expect(textOf(report(sure))).toContain(range);
    expect(report(sure)).toContain(`class="range">${range}`);
  });

  it('shows intervals of loadings, except for a component below the floor', () => {
    const sure = moments.pca({ level: 0.9, draws: 50 });
    const { loadings, explained } = sure;
    const clear = explained.findIndex(({ belowNoiseFloor }) => !belowNoiseFloor);
    const { low, high } = loadings;
    const [from = NaN, to = NaN] = [low?.[clear], high?.[clear]];
    const range = `${format.correlation(from)} to ${format.correlation(to)}`;
    expect(report(sure)).toContain(`<small>${range}</small>`);
    expect(textOf(report(sure))).toContain('The 90% interval is below each entry.');
    expect(report(moments.pca())).not.toContain('<small>');
    const drowned = few.pca({ level: 0.9, draws: 50 });
    expect(drowned.explained.every(({ belowNoiseFloor }) => belowNoiseFloor)).toBe(true);
    expect(report(drowned)).not.toContain('<small>');
  });

  it('shows results of several views, and means with standard errors', async () => {
    const three = defineStudy({
      ...definition(),
      views: { body: ['age'], night: ['sleep'], mind: ['mood'] },
    });
    const of = await assemble(three, [await privatize(three, rows)]);
    const shared = of.gcca({ level: 0.9, draws: 50 });
    const means = of.uncertainty({ level: 0.9 });
    const text = textOf(report([means, shared]));
    expect(text).toContain('What all views share');
    expect(text).toContain('body and night');
    expect(text).toContain(format.correlation(shared.shared[0]?.value ?? NaN, 3));
    expect(text).toContain('Standard error');
    expect(text).toContain(format.significant(means.mean.values[4] ?? NaN, 3));
    expect(toCode([shared, means])).toContain(
      "moments.gcca({ views: ['body', 'mind', 'night'], components: 1, level: 0.9, draws: 50, seed: 1 })",
    );
  });

  it('says first, and at the figure, that noise may hide a higher correlation of a pair', () => {
    const cca = { ...moments.cca(call).toJSON(), resolved: false, hidden: { life: 1 } };
    const text = textOf(report(cca));
    const said = 'ould be anything up to 1: the noise hides a direction of life.';
    expect(text.indexOf(`The first pair c${said}`)).toBeLessThan(text.indexOf('How strongly'));
    expect(text).toContain(`In words The first pair c${said}`);
    expect(text).toContain(`First pair C${said}`);
    expect(text).toContain('could be anything up to 1; above');
    expect(textOf(report(moments.cca(call)))).not.toContain('anything up to 1');
  });

  it('gives only the maximum share explained by a regression below the floor', () => {
    const drowned = few.ridge({ target: 'mood', level: 0.9 });
    expect(drowned.r2.belowNoiseFloor).toBe(true);
    const json = drowned.toJSON();
    const upTo = (high: number) => textOf(report({ ...json, r2: { ...json.r2, high } }));
    const text = upTo(0.2);
    expect(text).toContain('(r²) indistinguishable from noise; at most 20%');
    // At most all of it says nothing.
    expect(upTo(1)).toContain('(r²) indistinguishable from noise Share');
    expect(text).toContain('so the fit is its mean for all rows');
  });

  it('says first what is below the noise floor, and draws no weights for it', () => {
    const html = report([few.cca(call), few.pca(), few.ridge({ target: 'mood' })]);
    const text = textOf(html);
    expect(few.cca(call).correlations[0]?.belowNoiseFloor).toBe(true);
    expect(text).toContain('No pattern that links life and mind can be distinguished from noise.');
    expect(text).toMatch(/Below the noise floor: do not interpret The first canonical pair/);
    expect(text).toContain('All 6 principal components');
    expect(html).not.toContain('First pair</h3>');
    expect(/class="s[12]"/.exec(html)).toBeNull();
    expect(textOf(report(moments.cca(call)))).not.toContain('do not interpret');
  });

  it('draws the floor of each pair, and calls a pair unclear if its interval reaches 0', () => {
    const cca = structuredClone(moments.cca(call)) as never as {
      options: object;
      correlations: object[];
    };
    Object.assign(cca.options, { level: 0.95 });
    const pair = (value: number, low: number, high: number, noiseFloor: number) => ({
      ...{ value, low, high, noiseFloor, belowNoiseFloor: value <= noiseFloor },
    });
    cca.correlations = [pair(0.6, 0.5, 0.7, 0.12), pair(0.2, 0.004, 0.3, 0.14)];
    const html = report(cca as never);
    const text = textOf(html);
    expect(text).toContain('One pattern links life and mind. One more is not clear.');
    expect(text).toContain('Not clear: the interval reaches 0 The second canonical pair');
    expect(text).toContain('alone reach .12 to .14, depending on the pair');
    expect(text).toContain('The second pair is not clear: it lies above its floor');
    expect(text).toContain('.140 above, but not clear');
    expect(text).toContain('Second pair Not clear. Its interval reaches 0');
    expect(html).toMatch(
      /aria-label="[^"]*; 2nd .20, interval .00 to .30, not clear. Noise floor .12 to .14./,
    );
    const floors = html.match(/<rect [^>]*fill="url\(#floor-[^>]*>/g) ?? [];
    expect(new Set(floors.map((rect) => / width="[^"]*"/.exec(rect)?.[0])).size).toBe(2);
  });

  it('compares with results without privacy, turned to the same sign', async () => {
    const exact = await exactMoments(study, rows);
    const options = { references: [exact.cca(call)], referenceName: 'pooled' };
    const text = textOf(report(moments.cca(call), options));
    expect(text).toContain('Pooled');
    expect(text).toContain(format.correlation(exact.cca(call).correlations[0]?.value ?? NaN, 3));
    const mirrored = exact.cca(call);
    for (const view of Object.values(mirrored.views)) {
      view.weights.values = view.weights.values.map((value) => -value);
    }
    expect(report(moments.cca(call), { ...options, references: [mirrored] })).toBe(
      report(moments.cca(call), options),
    );
  });

  it('is the same from results, their clones, and their JSON', () => {
    const html = report(all);
    const stored = all.map((each) => JSON.parse(JSON.stringify(each)) as ReportInput);
    expect(report(stored)).toBe(html);
    const cca = moments.cca(call);
    expect(report(structuredClone(cca))).toBe(report(cca));
    // The order of results does not matter.
    expect(report([...all].reverse())).toBe(html);
  });

  it('includes a title, the releases and the caller’s own parts', async () => {
    const release = await privatize(study, rows.slice(0, 10));
    const html = report(moments.pca(), {
      title: 'Mine & yours',
      releases: [{ id: release.id, name: 'north.json', rows: 10 }, { id: release.id }],
      sections: [{ title: 'A < B', html: '<p>own <b>words</b></p>' }],
    });
    expect(html).toContain('<h1>Mine &amp; yours</h1>');
    expect(textOf(html)).toContain(`north.json 10 ${release.id.slice(0, 16)}`);
    expect(html).toContain('<h2>A &lt; B</h2><p>own <b>words</b></p>');
  });

  it('says that exact moments have no guarantee', async () => {
    const exact = await exactMoments(study, rows);
    const text = textOf(report([exact, exact.cca()]));
    expect(text).toContain('No guarantee');
    expect(text).toContain('Guarantee none');
    expect(text).not.toContain('right 50 times');
  });

  it('refuses results that do not belong together, and anything else', async () => {
    const other = defineStudy({ ...definition(), title: 'Another' });
    const foreign = await exactMoments(other, rows);
    await failure(() => report([moments.pca(), foreign.pca()]), { code: 'wrong-study' });
    await failure(() => report([moments.pca(), few.pca()]), { code: 'unsupported-data' });
    for (const none of [[], [null], [{}], study, { analysis: 'cca' }, 'cca']) {
      await failure(() => report(none as never), { code: 'unsupported-data' });
    }
  });
});

describe('the code in a report', () => {
  it('reproduces the results', async () => {
    const code = toCode(all);
    expect(code.split('\n')).toEqual([
      `import { parseStudy, parseRelease, assemble } from 'private-moments';`,
      '',
      `const study = parseStudy(studyText); // ${study.id.slice(0, 8)}…`,
      'const moments = await assemble(study, releaseTexts.map(parseRelease));',
      `const pairs = moments.cca({ x: 'life', y: 'mind', components: 1 });`,
      `const fit = moments.ridge({ target: 'mood', features: ['age', 'sleep', 'work'], penalty: 0, level: 0.9 });`,
      'const spread = moments.pca({ components: 6 });',
    ]);
    const directions = defineStudy({ ...definition(), mechanism: { name: 'ppca', components: 1 } });
    const components = await assembleComponents(directions, [await privatize(directions, rows)]);
    expect(toCode(components)).toContain(
      'assembleComponents(study, releaseTexts.map(parseRelease))',
    );
  });

  it('writes any name as a string, and gives repeated calls numbers', () => {
    const cca = structuredClone(moments.cca(call));
    cca.options = { x: ["it's", 'back\\slash', 'new\nline'], y: 'mind', components: 1 };
    expect(toCode([cca, moments.cca(call)])).toContain(
      String.raw`moments.cca({ x: ['it\'s', 'back\\slash', 'new\nline'], y: 'mind', components: 1 });
const pairs2 = moments.cca({`,
    );
  });
});

describe('several results in one file', () => {
  it('are a list in JSON, with the releases behind them', () => {
    const json = JSON.parse(toJSON(all, { releases: ['ab', 'cd'] })) as {
      format: string;
      releases: string[];
      results: { format: string; analysis: string }[];
    };
    expect(json.format).toBe('private-moments/results@1');
    expect(json.releases).toEqual(['ab', 'cd']);
    expect(json.results.map(({ analysis }) => analysis)).toEqual([
      'cca',
      'ridge',
      'pca',
      'moments',
    ]);
    expect(new Set(json.results.map((each) => each.format))).toEqual(
      new Set(['private-moments/result@1']),
    );
    expect(json.results[2]).toEqual(moments.pca().toJSON());
    expect(JSON.parse(toJSON([structuredClone(moments.pca())])) as object).toEqual({
      format: 'private-moments/results@1',
      results: [moments.pca().toJSON()],
    });
  });

  it('share one header in CSV', () => {
    const { data, errors } = Papa.parse<Record<string, string>>(toCSV(all), {
      header: true,
      skipEmptyLines: true,
    });
    expect(errors).toEqual([]);
    expect([...new Set(data.map(({ analysis }) => analysis))]).toEqual([
      'cca',
      'ridge',
      'pca',
      'moments',
    ]);
    const lines = (csv: string) => csv.split('\r\n').length - 2;
    const single = [moments.cca(call), all[1] as Moments, moments.pca(), moments];
    expect(data).toHaveLength(single.reduce((sum, each) => sum + lines(each.toCSV()), 0));
  });
});

describe('words', () => {
  it('describe a guarantee against someone who knows almost everything', () => {
    const guarantee: Guarantee = {
      epsilon: 1,
      delta: 1e-6,
      gdp: 0.2367043806631764,
      neighbours: 'replace-one',
      unit: 'row',
      numerics: 'exact',
      assumes: [],
    };
    const words = (over: Partial<Guarantee>) =>
      format.guaranteeInWords({ ...guarantee, ...over }).join(' ');
    expect(words({})).toMatch(
      /ε = 1 and δ = 10⁻⁶, for one row replaced by any other\. .*right at most 55 times/,
    );
    expect(words({ neighbours: 'add-remove' })).toContain('for one row added or left out');
    expect(words({ unit: 'participant' })).toContain(
      'for the file of one participant replaced by any other',
    );
    const pure: Guarantee = { ...guarantee, delta: 0 };
    delete pure.gdp;
    expect(format.guaranteeInWords(pure).join(' ')).toMatch(
      /^Each release is ε-differentially .*right at most 74 times/,
    );
    const assumes = ['at least 7 of the 10 sites are honest', 'and more'];
    const sum = { ...guarantee, assumes, honest: 7, floor: { epsilon: 2.41001, delta: 1e-6 } };
    expect(format.guaranteeInWords(sum).join(' ')).toMatch(
      /^The sum of all releases is .*With the sum, .*This holds if at least 7 of the 10 sites are honest\. .*everyone else colludes, ε = 2\.411 and δ = 10⁻⁶ remains\.$/,
    );
    expect(format.guaranteeInWords({ ...sum, floor: null }).join(' ')).toMatch(
      /there is no guarantee\.$/,
    );
  });

  it('group and shorten numbers as Intl does', () => {
    const intl = (options: Intl.NumberFormatOptions) => {
      const english = new Intl.NumberFormat('en', options);
      return (value: number): string => english.format(value).replace('-', '−');
    };
    const whole = intl({ maximumFractionDigits: 0 });
    const inSix = intl({ maximumSignificantDigits: 6 });
    const short = intl({ notation: 'compact', maximumSignificantDigits: 2 });
    const odd = [0, 0.5, -0.5, 1.5, 2.5, 949.9, 995, 999.4, 999_500, 0.1 + 0.2, 123_456_789];
    const spread = Array.from({ length: 2000 }, (_, i) => 1.0213 ** i * 1e-5).filter(
      (x) => x < 1e13,
    );
    for (const value of [...odd, ...spread, ...spread.map((x) => -x)]) {
      expect(format.count(value), `count of ${String(value)}`).toBe(whole(value));
      expect(format.compact(value), `compact of ${String(value)}`).toBe(short(value));
      if (value === 0 || Math.abs(value) >= 1e-5)
        expect(format.bound(value), `bound of ${String(value)}`).toBe(inSix(value));
    }
  });

  it('write numbers in a readable form', () => {
    const { correlation, probability, significant, signed, bytes, ordinal, list } = format;
    for (const [written, wanted] of [
      [correlation(0.6179, 3), '.618'],
      [correlation(-0.04), '\u2212.04'],
      [correlation(-0.0001), '.00'],
      [correlation(1, 3), '1.000'],
      [signed(0.0042), '+0.0042'],
      [signed(-0.0042), '\u22120.0042'],
      [significant(39.6), '40'],
      [significant(0.00256), '0.0026'],
      [significant(125.2), '125'],
      [significant(3.54e-17), '3.5 × 10⁻¹⁷'],
      [significant(-420_496_156_516), '−4.2 × 10¹¹'],
      [significant(9_999_999), '9,999,999'],
      [significant(-1e-9), '\u221210⁻⁹'],
      [format.bound(-2.5e-8), '\u22122.5 × 10⁻⁸'],
      [format.bound(0.00125), '0.00125'],
      [probability(1e-6), '10⁻⁶'],
      [probability(3e-12), '3 × 10⁻¹²'],
      [probability(0.05), '0.05'],
      [probability(0), '0'],
      [bytes(600), '600 bytes'],
      [bytes(1489), '1.5 kB'],
      [bytes(1113538), '1.1 MB'],
      [ordinal(0), '1st'],
      [ordinal(10), '11th'],
      [list(['a', 'b', 'c']), 'a, b and c'],
      [list(['a']), 'a'],
    ]) {
      expect(written).toBe(wanted);
    }
  });
});
