import { expectToFit } from './look.js';
import { addFiles, expect, giveFile, madeUp, saveShown, test } from './support.js';

const NAME = 'fasting_glucose_in_mmol_per_litre_before_breakfast_at_the_second_visit';
const LEVEL = 'professional_or_managerial_with_a_degree';

/** A study in which every name is as long as names get. */
const study = {
  format: 'private-moments/study@1',
  title: 'Glucose and everything that goes with it',
  organizer: 'department-of-epidemiology@university-hospital.example.org',
  columns: [
    { name: NAME, type: 'number', min: 0, max: 1 },
    { name: 'occupation', type: 'category', levels: [LEVEL, 'other'] },
    { name: 'weight', type: 'number', min: 0, max: 1 },
  ],
  views: { what_was_measured_in_the_laboratory: [NAME, 'occupation'], body: ['weight'] },
  privacy: { epsilon: 1, delta: 1e-6 },
};
const rows = Array.from({ length: 2000 }, (_, i) => {
  const share = ((i * 7919) % 1000) / 1000;
  return `${share},${i % 2 === 0 ? LEVEL : 'other'},${(share + (i % 7) / 40) / 2}`;
});
const csv = [`${NAME},occupation,weight`, ...rows].join('\n');

/** Widths that go down and up again, past every width at which a layout changes. */
const WIDTHS = [1280, 1100, 1000, 760, 600, 360, 720, 800, 1000, 1040, 1160, 1280, 1920];

test('nothing is wider than the window at any width, however long names are', async ({
  page,
  site,
}, info) => {
  const studyFile = madeUp('study.json', JSON.stringify(study));
  await page.goto(site);
  await giveFile(page, studyFile);
  await page.getByText('Study details and fingerprint').click();
  await giveFile(page, madeUp('rows.csv', csv));
  const make = page.getByRole('button', { name: 'Make it private' });
  await expect(make).toBeEnabled();
  await expectToFit(page, ...WIDTHS);
  await make.click();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
  await expectToFit(page, ...WIDTHS);
  const release = await saveShown(page, info.outputPath());

  await page.goto(`${site}analyse.html`);
  await addFiles(page, studyFile, release);
  await expect(page.getByRole('heading', { name: 'Save the result' })).toBeVisible();
  await expectToFit(page, ...WIDTHS);
});
