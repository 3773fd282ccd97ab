import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expectAxeFindsNothing, expectToFit, expectToFitNarrow } from './look.js';
import {
  addFiles,
  copies,
  expect,
  madeUp,
  openStudy,
  openTwo,
  sampleFile,
  sampleText,
  saved,
  savedRelease,
  slowDisk,
  test,
  useSample,
  whenShown,
  type ReleaseText,
} from './support.js';

test('the sample runs in one click, and the first pair comes out as without privacy', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await expect(page.getByText('All 10 belong to this study and are intact.')).toBeVisible();
  const figure = page.getByRole('img', { name: /^Canonical correlations/ });
  const first = /1st (\.\d\d)/.exec((await figure.getAttribute('aria-label')) ?? '')?.[1];
  expect(Math.abs(Number(first) - 0.62)).toBeLessThan(0.06);
});

test('columns are adjusted for covariates and sites, and components are rotated', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  const adjust = page.getByText('Adjust for covariates');
  await adjust.click();
  const covariates = page.getByRole('group', { name: 'Covariates' });
  await covariates.getByRole('checkbox', { name: 'Age' }).check();
  await expect(page.getByText('Without what depends linearly on age.').first()).toBeVisible();
  // A view whose last column would be taken out has nothing to compare.
  for (const name of ['Working hours', 'Over $50,000 a year']) {
    await covariates.getByRole('checkbox', { name }).check();
    await expect(covariates.getByRole('checkbox', { name })).toBeChecked();
  }
  await expect(covariates.getByRole('checkbox', { name: 'Kind of work' })).toBeDisabled();
  await covariates.getByRole('checkbox', { name: 'Differences between sites' }).check();
  await expect(
    page
      .getByText(
        'Without what depends linearly on age, working hours and over $50,000 a year and differences between the means of sites.',
      )
      .first(),
  ).toBeVisible();
  await expectAxeFindsNothing(page, 'analyse adjusted');

  await page.getByLabel('Rotation', { exact: true }).selectOption('varimax');
  await expect(page.getByText('score of the 1st rotated component').first()).toBeVisible();
  // What was chosen survives a reload.
  await page.reload();
  await expect(page.getByText('score of the 1st rotated component').first()).toBeVisible();
  await expect(page.getByText(/^Adjust for covariates/).first()).toBeVisible();
  await expect(page.getByText('Without what depends linearly on age').first()).toBeVisible();
  await expectToFitNarrow(page, 'analyse adjusted');
});

test('another method is chosen, read component by component, saved, and kept', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  const section = page.getByRole('region', { name: 'Other methods' });
  await section.getByLabel('Method').selectOption('Sparse pairs of the two views');
  await expect(section.getByText(/sparse pairs? above the noise floor/)).toBeVisible();
  await expect(section.getByRole('heading', { name: 'People' })).toBeVisible();

  await section.getByLabel('Method').selectOption('Discriminants of a category');
  await section.getByLabel('Target').selectOption('Kind of work');
  await expect(section.getByText(/discriminants? above the noise floor/)).toBeVisible();
  await expect(section.getByText('In standard deviations within levels.')).toBeVisible();
  await section.getByLabel('Discriminant', { exact: true }).selectOption({ index: 1 });
  await expect(section.getByText(/2nd discriminant/).first()).toBeVisible();
  await expectAxeFindsNothing(page, 'analyse by another method');
  expect(await saved(page, 'Download report')).toContain('Levels of Kind of work');

  await page.reload();
  await expect(section.getByText(/2nd discriminant/).first()).toBeVisible();
  await expectToFitNarrow(page, 'analyse by another method');
});

test('a sum replaces the releases in it, and is analysed alone', async ({ page, site }, info) => {
  const folder = info.outputPath();
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const args = ['samples/federation.mjs', '--out', folder];
  execFileSync(process.execPath, args, { cwd: root, stdio: 'ignore' });
  const [study, sum] = [join(folder, 'study.json'), join(folder, 'sum.json')];
  await page.goto(`${site}analyse.html`);
  await addFiles(page, study, sum);
  await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await page.getByRole('button', { name: '1 file used' }).click();
  await expect(row('sum.json')).toContainText('48,842');
  await expect(page.getByText('7 of 10')).toBeVisible();
  await addFiles(page, madeUp('again.json', readFileSync(sum, 'utf8')));
  await expect(row('again.json')).toContainText('left out: same release as sum.json');

  // Take part makes single releases, which this study does not use.
  await page.goto(site);
  await page.setInputFiles('pm-participate input[type=file]', study);
  await expect(page.getByText('This study cannot be opened.')).toBeVisible();
  await expect(
    page.getByText('This link is for the analyst. Ask the analyst for the participant link.'),
  ).toBeVisible();
});

test('one bad file never stops the rest', async ({ page, site }, info) => {
  await openStudy(page, site);
  const folder = info.outputPath();
  const one = await savedRelease(page, sampleFile('site-01.csv'), folder);
  const two = await savedRelease(page, sampleFile('site-02.csv'), folder);
  const text = readFileSync(one, 'utf8');
  const parsed = JSON.parse(text) as ReleaseText;
  const study = JSON.parse(sampleText('study.json')) as { privacy: { epsilon: number } };
  study.privacy.epsilon = 2;
  await openStudy(page, site, madeUp('study.json', JSON.stringify(study)));
  const foreign = await savedRelease(page, sampleFile('site-04.csv'), folder);

  await page.goto(`${site}analyse.html`);
  await addFiles(
    page,
    sampleFile('study.json'),
    one,
    two,
    foreign,
    madeUp('again.json', text),
    madeUp('altered.json', JSON.stringify({ ...parsed, rows: parsed.rows + 1 })),
    madeUp('cut.json', text.slice(0, 500)),
    madeUp('photo.json', 'not JSON at all'),
    madeUp('rows.csv', sampleText('site-01.csv')),
  );
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('again.json')).toContainText('left out: same release as site-01.release.json');
  await expect(row('site-04.release.json')).toContainText('left out: another study');
  await expect(row('altered.json')).toContainText('left out: changed after it was made');
  await expect(row('cut.json')).toContainText('left out: incomplete file');
  await expect(row('photo.json')).toContainText('left out: not a release');
  await expect(row('rows.csv')).toContainText('left out: rows, not a release');
  await expect(page.getByText('2 belong to this study and are intact. Six more')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();

  await page.getByRole('button', { name: '2 of 8 files used' }).click();
  await page.getByRole('button', { name: 'Remove site-01.release.json' }).click();
  await expect(row('again.json')).not.toContainText('left out');
});

test('the answer comes first: files that are used are listed when they are asked for', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  const fold = page.getByRole('button', { name: '10 files used' });
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByText('site-10.release.json')).toBeHidden();
  const answer = await page.getByRole('heading', { name: 'Canonical correlations' }).boundingBox();
  expect(answer?.y).toBeLessThan(600);
  await fold.click();
  await expect(page.getByText('site-10.release.json')).toBeVisible();
});

test('the rail names the sections, goes to one, and marks the one being read', async ({
  page,
  site,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await useSample(page, site);
  const rail = page.getByRole('navigation', { name: 'Sections' });
  await expect(rail.getByRole('button')).toHaveText([
    'Canonical correlations',
    'Each pair',
    'Principal components (PCA)',
    'Rows along the patterns',
    'Regression',
    'Other methods',
    'Synthetic rows',
    'Save the result',
  ]);
  await rail.getByRole('button', { name: 'Principal components (PCA)' }).click();
  await expect(page.getByRole('heading', { name: 'Principal components (PCA)' })).toBeInViewport();
  await expect(rail.locator('[aria-current=true]')).toHaveText('Principal components (PCA)');
  await page.getByRole('heading', { name: 'Synthetic rows', level: 2 }).evaluate((heading) => {
    heading.scrollIntoView({ block: 'start' });
  });
  await expect(rail.locator('[aria-current=true]')).toHaveText('Synthetic rows');
  await page.setViewportSize({ width: 500, height: 800 });
  await expect(rail).toBeHidden();
  await page.getByRole('combobox', { name: 'Section' }).selectOption('Canonical correlations');
  await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeInViewport();
});

test('every section, group and heading has a name of its own', async ({ page, site }) => {
  await useSample(page, site);
  await page.getByLabel('Target').selectOption('hours');
  await expect(page.getByText(/of the variance of working hours is explained/)).toBeVisible();
  const headings = await page.getByRole('main').getByRole('heading').allTextContents();
  expect(headings.length).toBeGreaterThan(10);
  expect(headings.map((text) => text.trim())).toEqual([
    ...new Set(headings.map((text) => text.trim())),
  ]);
  for (const role of ['group', 'region'] as const) {
    const names = await page
      .getByRole('main')
      .getByRole(role)
      .evaluateAll((all) =>
        all.map((element) => {
          const id = element.getAttribute('aria-labelledby') ?? '';
          const root = element.getRootNode() as Document | ShadowRoot;
          const name =
            element.getAttribute('aria-label') ??
            root.getElementById(id)?.textContent ??
            element.querySelector('legend')?.textContent;
          return name?.trim();
        }),
      );
    expect(names.length).toBeGreaterThan(4);
    expect(names).toEqual([...new Set(names)]);
  }
});

test('a thousand releases are read while the page stays responsive, and those with a problem are shown first', async ({
  page,
  site,
}, info) => {
  test.setTimeout(180_000);
  await openStudy(page, site);
  const one = await savedRelease(page, sampleFile('site-01.csv'), info.outputPath());
  const release = JSON.parse(readFileSync(one, 'utf8')) as ReleaseText;
  const good = copies(release, 1000);
  const wrong = copies({ ...release, rows: 0.5 }, 4).map((file, i) => ({
    ...file,
    name: `cut-${i}.json`,
  }));
  await page.goto(`${site}analyse.html`);
  await page.locator('pm-analysis pm-drop-zone').first().waitFor({ state: 'attached' });
  await page.evaluate(() => {
    const seen = { progress: new Set<number>(), longest: 0, since: performance.now() };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ entryTypes: ['longtask'] });
    const root = document.querySelector('pm-analysis')?.shadowRoot;
    if (!root) throw new Error('nothing is drawn yet');
    new MutationObserver(() => {
      const bar = root.querySelector('progress');
      if (bar) seen.progress.add(bar.value);
    }).observe(root, { subtree: true, childList: true, attributes: true });
    // Delays every tenth file, so that even the fastest machine has progress to show.
    let files = 0;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on what it was called on
    const read = Blob.prototype.text;
    Blob.prototype.text = async function (this: Blob) {
      if (files++ % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      return read.call(this);
    };
  });
  await addFiles(page, sampleFile('study.json'), ...good, ...wrong);
  await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible({
    timeout: 120_000,
  });
  await expect(
    page.getByText('1,000 belong to this study and are intact. Four more were left out.'),
  ).toBeVisible();
  const { moved, share } = await page.evaluate(() => {
    const { seen } = globalThis as unknown as {
      seen: { progress: Set<number>; longest: number; since: number };
    };
    return {
      moved: seen.progress.size,
      share: seen.longest / (performance.now() - seen.since),
    };
  });
  expect(moved).toBeGreaterThan(3);
  expect(share, 'longest time without a turn, of all').toBeLessThan(0.5);

  const table = page.getByRole('table').first();
  await expect(table.getByRole('row')).toHaveCount(5);
  await page.getByRole('button', { name: '1,000 of 1,004 files used' }).click();
  await expect(table.getByRole('row')).toHaveCount(26);
  await expect(table.getByRole('row').nth(1)).toContainText('cut-0.json');
  await expect(table.getByRole('row').nth(1)).toContainText('left out: not a release');
  await expect(page.getByText('1 to 25 of 1,004 files')).toBeVisible();
  await page.getByRole('button', { name: 'More files' }).click();
  await expect(page.getByText('26 to 50 of 1,004 files')).toBeVisible();
  await page.getByRole('button', { name: 'Left out 4' }).click();
  await expect(table.getByRole('row')).toHaveCount(5);
  await page.getByRole('button', { name: 'All 1,004' }).click();
  await page.getByLabel('Find a file by name').fill('0777');
  await expect(table.getByRole('row')).toHaveCount(2);

  await expectAxeFindsNothing(page);
});

test('cancelling adds none of the files', async ({ page, site }, info) => {
  await openStudy(page, site);
  const one = await savedRelease(page, sampleFile('site-01.csv'), info.outputPath());
  const many = copies(JSON.parse(readFileSync(one, 'utf8')) as ReleaseText, 150);
  await page.goto(`${site}analyse.html`);
  await slowDisk(page);
  await whenShown(page.locator('pm-analysis'), { label: 'Reading' }, { press: 'Cancel' }, () =>
    addFiles(page, sampleFile('study.json'), one, ...many),
  );
  await expect(page.getByText('None of these files were added.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
  await expectAxeFindsNothing(page);
});

test('releases wait for their study', async ({ page, site }, info) => {
  await openStudy(page, site);
  const release = await savedRelease(page, sampleFile('site-01.csv'), info.outputPath());
  await page.goto(`${site}analyse.html`);
  await addFiles(page, release);
  await expect(page.getByText('Which study do these belong to?')).toBeVisible();
  await addFiles(page, sampleFile('study.json'));
  await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();
});

test('each pair shows the weights of both views', async ({ page, site }) => {
  await useSample(page, site);
  const weights = page.getByRole('img', { name: /^Weights: .*Schooling/ });
  const first = await weights.getAttribute('aria-label');
  await page.getByRole('button', { name: '2nd', exact: true }).click();
  await expect(page.getByText('Second pair.')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Weights:/ })).toHaveCount(2);
  await expect(weights).not.toHaveAttribute('aria-label', first ?? '');
});

test('pairs below the noise floor say so, and their weights are not drawn', async ({
  page,
  site,
}, info) => {
  await openStudy(page, site);
  // Three rows give nothing but noise.
  const few = sampleText('site-01.csv').split('\n').slice(0, 4).join('\n');
  const release = await savedRelease(page, madeUp('few.csv', few), info.outputPath());
  await page.goto(`${site}analyse.html`);
  await addFiles(page, sampleFile('study.json'), release);
  await expect(
    page.getByText('No pattern that links people and work can be distinguished'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: '1st, below the floor' })).toBeVisible();
  await expect(page.getByText('do not interpret it. Its weights are not drawn.')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Weights:/ })).toHaveCount(0);
});

test('every estimate has its interval, in the figures and in the tables', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  const figure = page.getByRole('img', { name: /^Canonical correlations, 95% interval/ });
  const alt = (await figure.getAttribute('aria-label')) ?? '';
  const [, value, low, high] = /1st (\.\d\d), interval (\.\d\d) to (\.\d\d)/.exec(alt) ?? [];
  expect(Number(low)).toBeLessThan(Number(value));
  expect(Number(high)).toBeGreaterThan(Number(value));
  await expect(page.getByText(`${low ?? ''} to ${high ?? ''} is plausible`)).toBeVisible();
  await expect(
    page.getByRole('img', { name: /^Share by component\. 1: \d+%, interval \d+% to \d+%/ }),
  ).toBeVisible();
  const bars = page.getByRole('img', { name: /^Weights: / }).first();
  const weights = (await bars.getAttribute('aria-label')) ?? '';
  const ofWeight = /Schooling \+(0\.\d+) per unit, \+(0\.\d+) to \+(0\.\d+)/.exec(weights) ?? [];
  const [own, from, to] = ofWeight.slice(1).map(Number);
  expect(from).toBeLessThan(own ?? NaN);
  expect(to).toBeGreaterThan(own ?? NaN);
  // The bar of schooling, the longest, ends inside its interval.
  const box = async (drawn: string) => (await bars.locator(drawn).first().boundingBox()) ?? { x: NaN, width: NaN }; // prettier-ignore
  const [bar, onBar, onPage] = [await box('rect.bar'), await box('line.on-bar'), await box('line.on-page')]; // prettier-ignore
  expect(onBar.x).toBeLessThan(bar.x + bar.width);
  expect(onBar.width).toBeGreaterThan(0);
  expect(Math.abs(onPage.x - bar.x - bar.width)).toBeLessThan(2);
  expect(onPage.width).toBeGreaterThan(0);
  const lengths = await bars.locator('rect.bar').evaluateAll((all) => all.map((each) => Number(each.getAttribute('width')))); // prettier-ignore
  expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
  await page.getByRole('button', { name: 'Structure correlations' }).click();
  const ofAge = { name: /^Correlations with the score: .*Age −?\.\d\d, −?\.\d\d to −?\.\d\d/ };
  for (const name of ['Each pair', 'Loadings']) {
    const drawn = page.getByRole('region', { name, exact: true }).getByRole('img', ofAge);
    await expect(drawn).toBeVisible();
    await expect(drawn.locator('line.whisker')).not.toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Show the tables' }).click();
  await expect(
    page.getByRole('cell', { name: `${low ?? ''} to ${high ?? ''}`, exact: true }),
  ).toBeVisible();
  const cell = page
    .getByRole('row', { name: /^people: Schooling \(level\)/ })
    .getByRole('cell')
    .first();
  await expect(cell).toContainText(/\+0\.\d+\s+\+0\.\d+ to \+0\.\d+/);
});

test('one column is predicted from the others, and the prediction is saved with the results', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await expect(page.getByText(/of the variance of working hours is explained/)).toHaveCount(0);
  await page.getByLabel('Target').selectOption('hours');
  await expect(page.getByText(/of the variance of working hours is explained/)).toBeVisible();
  const bars = page.getByRole('img', { name: /^Weights: .*Woman −\d\.\d per unit, −\d/ });
  await expect(bars).toBeVisible();
  await page.getByRole('button', { name: 'Show the tables' }).click();
  await expect(
    page.getByRole('region', { name: 'Regression of Working hours as a table' }),
  ).toBeVisible();
  expect(await saved(page, 'Download CSV')).toContain('\r\nridge,coefficients,,age,,');
  expect(await page.getByRole('region', { name: 'Code', exact: true }).textContent()).toContain(
    'moments.ridge(',
  );
});

test('three views are compared by what they all share, with the weights of each', async ({
  page,
  site,
}, info) => {
  const study = JSON.parse(sampleText('study.json')) as { views: Record<string, string[]> };
  study.views = {
    life: ['age', 'married'],
    school: ['education', 'female'],
    work: ['hours', 'over_50k'],
  };
  const file = madeUp('study.json', JSON.stringify(study));
  await openStudy(page, site, file);
  // Uses the rows of all sites, so that the first component is always above the noise.
  const sites = Array.from({ length: 10 }, (_, i) =>
    sampleText(`site-${String(i + 1).padStart(2, '0')}.csv`)
      .trim()
      .split('\n'),
  );
  const [header = ''] = sites[0] ?? [];
  const all = [header, ...sites.flatMap((lines) => lines.slice(1))].join('\n');
  const release = await savedRelease(page, madeUp('all.csv', all), info.outputPath());
  await page.goto(`${site}analyse.html`);
  await addFiles(page, file, release);
  await expect(page.getByRole('heading', { name: 'What all views share' })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Shared correlations/ })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'life and school' })).toBeVisible();
  const { results } = JSON.parse(await saved(page, 'Download JSON')) as {
    results: { analysis: string }[];
  };
  expect(results.map(({ analysis }) => analysis)).toEqual(['cca', 'gcca', 'pca', 'moments']);

  const component = page.getByRole('region', { name: 'Each shared component' });
  const bars = component.getByRole('img', { name: /^Weights: / });
  await expect(bars).toHaveCount(3);
  await expect(component.getByRole('heading', { level: 3 })).toHaveText(['Life', 'School', 'Work']);
  for (const each of await bars.all()) {
    await expect(each.locator('line.whisker')).not.toHaveCount(0);
    await expect(each.locator('rect.bar')).toHaveCount(2);
  }
  // The bars of the pair above do not change.
  await component.getByRole('button', { name: 'Structure correlations' }).focus();
  await page.keyboard.press('Enter');
  await expect(component.getByRole('img', { name: /^Correlations with the score: / })).toHaveCount(
    3,
  );
  await expect(
    page.getByRole('region', { name: 'Each pair' }).getByRole('img', { name: /^Weights: / }),
  ).toHaveCount(2);
  await expectAxeFindsNothing(page, 'analyse three views');
  await page.getByRole('button', { name: 'Show the tables' }).click();
  const table = page.getByRole('region', { name: 'Shared components as a table' });
  const cell = table.getByRole('row', { name: /^life: Age/ }).getByRole('cell');
  await expect(cell.first()).toHaveText(/[+−]0\.\d+\s+[+−]0\.\d+ to [+−]0\.\d+/);

  await component
    .getByRole('group', { name: 'Show the shared component' })
    .getByRole('button')
    .last()
    .focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Second shared component.')).toBeVisible();
  await expectAxeFindsNothing(page);
  await expectToFitNarrow(page, 'analyse three views');
});

test('the result is saved as JSON and as CSV with every number in it', async ({ page, site }) => {
  await useSample(page, site);
  const json = JSON.parse(await saved(page, 'Download JSON')) as {
    format: string;
    releases: string[];
    results: {
      rows: number;
      correlations?: { value: number }[];
      covariance?: { values: number[] };
    }[];
  };
  expect(json.format).toBe('private-moments/results@1');
  expect(json.releases).toHaveLength(10);
  const [cca, pca, moments] = json.results;
  expect([cca, pca, moments].map((result) => result?.rows)).toEqual([48_842, 48_842, 48_842]);
  expect(moments?.covariance?.values).toHaveLength(100);
  const csv = (await saved(page, 'Download CSV')).trim().split('\r\n');
  const correlation = csv.find((line) => line.startsWith('cca,correlations,,,CC1,'))?.split(',')[5];
  expect(Number(correlation)).toBe(cca?.correlations?.[0]?.value);
});

test('the report is one self-contained file, at any width, light and dark', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await page.getByLabel('Target').selectOption('hours');
  await expect(page.getByText(/of the variance of working hours is explained/)).toBeVisible();
  const html = await saved(page, 'Download report');
  await page.goto('about:blank');
  await page.setContent(html);
  await expect(
    page.getByRole('heading', { level: 1, name: 'People and work, 1994 census' }),
  ).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Regression of Working hours' })).toBeVisible();
  await expect(page.getByText('right at most 55 times in 100')).toBeVisible();
  await expectAxeFindsNothing(page);
  await expectToFit(page, 320, 360, 768, 1280);
});

test('synthetic rows are drawn and saved, the same for the same seed, with a report of what they preserve', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await page.getByLabel('Number of rows').fill('300');
  await page.getByLabel('Seed (optional)').fill('5');
  const once = await saved(page, 'Download rows (CSV)');
  await expect(page.getByText(/^300 rows saved\. \d+ of \d+ means/)).toBeVisible();
  const table = page.getByRole('region', { name: 'What the rows preserve' });
  await expect(table.getByRole('row')).toHaveCount(5);
  const lines = once.trim().split('\r\n');
  expect(lines).toHaveLength(301);
  const study = JSON.parse(sampleText('study.json')) as { columns: { name: string }[] };
  expect(lines[0]).toBe(study.columns.map(({ name }) => name).join(','));
  expect(await saved(page, 'Download rows (CSV)')).toBe(once);

  await expectAxeFindsNothing(page);
  await expectToFit(page, 320);
});

/** How many points of the canvas are not empty. */
function painted(page: Page): Promise<number> {
  return page.locator('pm-biplot canvas').evaluate((canvas: HTMLCanvasElement) => {
    const image = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
    return image === undefined ? 0 : image.data.filter((byte, i) => i % 4 === 3 && byte > 0).length;
  });
}

test('synthetic rows are drawn along components and pairs, and no private row is among them', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await page.getByRole('button', { name: 'Draw 2,000 synthetic rows' }).click();
  const figure = page.getByRole('img', {
    name: /^2,000 rows as points, PC1 horizontal and PC2 vertical/,
  });
  await expect(figure).toBeVisible();
  await expect(page.getByText('no private row is in this picture')).toBeVisible();
  expect(await painted(page)).toBeGreaterThan(1000);

  // Pairs below the floor are not drawn, usually the sample's fourth.
  const below = await page.getByRole('button', { name: /th, below the floor$/ }).count();
  const axes = page.getByLabel('Axes');
  await expect(axes.getByRole('option')).toHaveCount(5 - below);
  await axes.selectOption('1st pair: people against work');
  await expect(
    page.getByRole('img', {
      name: /^2,000 rows as points, people CC1 horizontal and work CC1 vertical/,
    }),
  ).toBeVisible();
  const link = page.locator('pm-biplot').getByRole('button', { name: 'See as a table' });
  await link.click();
  await expect(
    page.getByRole('region', { name: 'Arrows as a table' }).getByRole('row'),
  ).toHaveCount(11);
  const lines = (await saved(page, 'Download scores (CSV)')).trim().split('\r\n');
  expect(lines).toHaveLength(2001);
  expect(lines[0]).toContain('people CC1');

  await expectAxeFindsNothing(page);
  await expectToFit(page, 320);
});

test('tens of thousands of the reader’s own rows are drawn without leaving the page, and a wrong file is refused', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  const input = page.locator('pm-row-scores input[type=file]');
  await input.setInputFiles(madeUp('wrong.csv', 'a,b\n1,2\n'));
  await expect(page.getByText('These rows cannot be drawn.')).toBeVisible();
  const [header = '', ...rows] = sampleText('site-01.csv').trim().split('\n');
  const many = [header, ...Array.from({ length: 10 }, () => rows).flat()].join('\n');
  await input.setInputFiles(madeUp('mine.csv', many));
  await expect(page.getByText(/48,850 rows of mine\.csv, read on this computer/)).toBeVisible();
  await expect(page.getByText('These rows cannot be drawn.')).toHaveCount(0);
  const marks = await page.locator('pm-biplot').evaluate(async (element) => {
    const plot = element as HTMLElement & {
      requestUpdate(): void;
      updateComplete: Promise<unknown>;
    };
    let painted = 0;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on what it was called on
    const paint = CanvasRenderingContext2D.prototype.fillRect;
    CanvasRenderingContext2D.prototype.fillRect = function (...where) {
      painted += 1;
      paint.apply(this, where);
    };
    plot.requestUpdate();
    await plot.updateComplete;
    return { painted, elements: plot.shadowRoot?.querySelectorAll('*').length ?? NaN };
  });
  // Each row is one point on the canvas, not an element.
  expect(marks.painted).toBe(48_850);
  expect(marks.elements).toBeLessThan(200);
  await page.getByRole('button', { name: 'Draw other rows' }).click();
  await expect(page.getByRole('button', { name: 'Draw 2,000 synthetic rows' })).toBeVisible();
});

test('the code is shown in TypeScript, and in Python and R that read the saved results', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  const code = page.getByRole('region', { name: 'Code', exact: true });
  await expect(code).toContainText('await assemble(study');
  await page.getByRole('button', { name: 'Python', exact: true }).click();
  await expect(code).toContainText('import numpy as np');
  await expect(page.getByText('python3 results.py results.json')).toBeVisible();
  expect(await saved(page, 'Save results.py')).toBe(await code.textContent());
  await page.getByRole('button', { name: 'R', exact: true }).click();
  await expect(code).toContainText('read_json <- function(path)');
  expect(await saved(page, 'Save results.R')).toBe(await code.textContent());
  await expectAxeFindsNothing(page);
});

test('predictors and penalty can be chosen, pairs show structure correlations, and components show loadings', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await page.getByLabel('Target').selectOption('hours');
  await expect(page.getByText(/of the variance of working hours is explained/)).toBeVisible();
  const code = page.getByRole('region', { name: 'Code', exact: true });
  await page.getByRole('checkbox', { name: 'Kind of work' }).uncheck();
  await expect(page.getByRole('img', { name: /^Weights: .*Age .*Kind of work/ })).toHaveCount(0);
  await page.getByLabel('Penalty').fill('0.5');
  await page.getByLabel('Penalty').blur();
  await expect(code).toContainText('penalty: 0.5');
  await expect(code).toContainText(
    "features: ['age', 'education', 'female', 'married', 'over_50k']",
  );

  await page.getByRole('button', { name: 'Structure correlations' }).click();
  const bars = page.getByRole('img', { name: /^Correlations with the score: .*Age −?\.\d\d[;,]/ });
  await expect(bars).toHaveCount(2);
  const first = await bars.last().getAttribute('aria-label');
  await page.getByLabel('Component', { exact: true }).selectOption('2nd');
  await expect(bars.last()).not.toHaveAttribute('aria-label', first ?? '');
  await page.getByLabel('Component', { exact: true }).selectOption('10th, zero by construction');
  await expect(page.getByText('Its loadings are not drawn.')).toBeVisible();

  await expectAxeFindsNothing(page);
  await expectToFit(page, 320);
});

test('cancelling while the last file is read adds no file either', async ({ page, site }) => {
  await page.goto(`${site}analyse.html`);
  await page
    .locator('pm-analysis pm-drop-zone')
    .first()
    .evaluate((zone) => {
      // Delays the text of files: the first until there is a progress bar, the last until the test continues.
      const late = (name: string, when: Promise<unknown>): File => {
        const file = new File(['{}'], name);
        return Object.assign(file, { text: () => when.then(() => '{}') });
      };
      const wait = new Promise((resolve) => setTimeout(resolve, 300));
      const word = new Promise((resolve) => {
        Object.assign(globalThis, { readOn: resolve });
      });
      const files = [late('a.json', wait), late('b.json', word)];
      zone.dispatchEvent(new CustomEvent('pm-files', { detail: { files } }));
    });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.evaluate(async () => {
    (globalThis as unknown as { readOn: () => void }).readOn();
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
  await expect(page.getByText('None of these files were added.')).toBeVisible();
  await expect(page.getByText('a.json')).toHaveCount(0);
});

test('the study opened last stays, even if an earlier one arrives later', async ({
  page,
  site,
}) => {
  await page.goto(`${site}analyse.html`);
  await openTwo(page, 'pm-analysis');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The second');
});
