// Markup in every text of a study, in names of files and in the header of the data: opened in the pages
// Take part, Analyse and Design and in a report, in Chromium. It must be shown as text, wherever it is
// shown: nothing of it runs, becomes an element, or is refused by the page's policy on its way.
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { assemble, defineStudy, privatize } from 'private-moments';
import { report } from 'private-moments/report';
import { serve } from '../../../web/cli/src/parts/static-server.mjs';

const SITE = fileURLToPath(new URL('../../../dist/site/', import.meta.url));
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const RUN = 'window.attacked=1';
/** Each sets `attacked` if it runs, or leaves an element whose `name` is `attacked`. */
const PAYLOADS = [
  `<img name=attacked src=x onerror=${RUN}>`,
  `"><svg onload=${RUN}><a name=attacked>`,
  `<script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `</style><img name=attacked src=x onerror=${RUN}>`,
  `</title><img name=attacked src=x onerror=${RUN}>`,
  `</textarea><img name=attacked src=x>`,
  `' onfocus=${RUN} autofocus name=attacked x='`,
  `" onmouseover="${RUN}" name="attacked" x="`,
  `<iframe name=attacked srcdoc="<b>"></iframe>`,
  `<a name=attacked href=javascript:${RUN}>x</a>`,
  `<details open name=attacked ontoggle=${RUN}>`,
  `<math><mtext><img name=attacked src=x>`,
  `&lt;img name=attacked src=x&gt;`,
  '{{constructor.constructor("window.attacked=1")()}}',
  '${window.attacked=1}',
  ']]><img name=attacked src=x>',
  '<!--><img name=attacked src=x>',
  'javascript:window.attacked=1',
  '[x](javascript:window.attacked=1)',
];

/** A study with a payload in all its texts, a CSV text for it, and releases. */
async function attackedStudy(payload) {
  const named = (name, more) => ({ name: `${name}${payload}`, label: payload, ...more });
  const words = { unit: payload.slice(0, 40), description: payload };
  const columns = [
    named('a', { type: 'number', min: 0, max: 10, ...words }),
    named('b', { type: 'number', min: 0, max: 10, ...words }),
    named('c', { type: 'category', levels: [payload, 'other'], description: payload }),
  ];
  const study = defineStudy({
    title: payload,
    description: payload,
    contact: payload,
    columns,
    views: {
      [`1${payload}`]: [columns[0].name],
      [`2${payload}`]: [columns[1].name, columns[2].name],
    },
    privacy: { epsilon: 2, delta: 1e-6 },
    neighbours: 'replace-one',
  });
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  const header = columns.map(({ name }) => quoted(name)).join(',');
  const rows = Array.from({ length: 300 }, (_, i) => {
    const level = i % 3 === 0 ? payload : 'other';
    return `${i % 11},${(i + (i % 4)) % 11},${quoted(level)}`;
  });
  const csv = `${header}\n${rows.join('\n')}\n`;
  const releases = [await privatize(study, csv), await privatize(study, csv)];
  return { study, csv, releases };
}

/** A file with the payload in its name, as the page receives it. */
function file(payload, type, text) {
  return { name: `${payload}.${type}`, mimeType: 'text/plain', buffer: Buffer.from(text) };
}

const visits = {
  async 'Take part'(page, site, { study, csv }, payload) {
    await page.goto(study.toLink(site));
    await page.getByRole('heading', { name: 'Your file' }).waitFor();
    await page.setInputFiles('pm-participate input[type=file]', file(payload, 'csv', csv));
    const yes = page.getByLabel('Yes, every person has one row');
    if (await yes.isVisible()) await yes.check();
    await page.getByRole('button', { name: 'Make it private' }).click();
    await page.getByRole('heading', { name: 'What leaves this computer' }).waitFor();
  },
  async Analyse(page, site, { study, releases }, payload) {
    await page.goto(`${site}analyse.html`);
    const texts = [study, ...releases].map((one) => JSON.stringify(one));
    await page.setInputFiles(
      'pm-analysis input[type=file][accept*=json]',
      texts.map((text, i) => file(`${i}${payload}`, 'json', text)),
    );
    await page.getByRole('heading', { name: 'Canonical correlations' }).waitFor();
  },
  async Design(page, site, { study }, payload) {
    await page.goto(`${site}design.html`);
    await page.setInputFiles('#study-file', file(payload, 'json', JSON.stringify(study)));
    await page.getByRole('status').filter({ hasText: 'At ε = 2' }).waitFor();
  },
  async report(page, site, { study, releases }) {
    const moments = await assemble(study, releases);
    const results = [moments.cca(), moments.pca(), moments];
    await page.setContent(report(results));
    await page.getByRole('heading').first().waitFor();
  },
};

/* global document, window -- `traces` runs in the page */

/** What became of the payload in a page: whether it ran, and the elements it left, shadow roots included. */
function traces() {
  const elements = (root) =>
    [...root.querySelectorAll('*')].flatMap((one) => [
      one,
      ...(one.shadowRoot ? elements(one.shadowRoot) : []),
    ]);
  const left = elements(document).filter(
    (one) =>
      one.getAttribute('name') === 'attacked' ||
      /attacked/.test(one.tagName === 'SCRIPT' ? one.textContent : '') ||
      [...one.attributes].some(
        ({ name, value }) => name.startsWith('on') && /attacked/.test(value),
      ) ||
      /^javascript:/i.test(one.getAttribute('href') ?? ''),
  );
  return { ran: window.attacked === 1, left: left.map((one) => one.outerHTML.slice(0, 200)) };
}

export const attack = {
  name: 'markup',
  promise:
    'Markup in the texts of a study, in the names of files and in data is shown as text and never becomes part of a page or report.',
  minutes: 5,
  async run({ quick, seed, log }) {
    const found = { payloads: 0, visits: 0, ran: 0, left: 0, refused: 0 };
    const { url, close } = await serve({ '/': SITE }, 0);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    const chosen = quick ? [PAYLOADS[seed % PAYLOADS.length]] : PAYLOADS;
    for (const payload of chosen) {
      found.payloads += 1;
      const attacked = await attackedStudy(payload);
      for (const [name, visit] of Object.entries(visits)) {
        const context = await browser.newContext({ serviceWorkers: 'block' });
        const page = await context.newPage();
        page.on('dialog', (dialog) => {
          found.ran += 1;
          void dialog.dismiss();
        });
        page.on('console', (message) => {
          if (message.type() !== 'error') return;
          found.refused += 1;
          log(`${name}, ${payload}: ${message.text()}`);
        });
        await visit(page, url, attacked, payload);
        const { ran, left } = await page.evaluate(traces);
        found.visits += 1;
        found.ran += ran ? 1 : 0;
        found.left += left.length;
        for (const element of left) log(`${name}, ${payload}: left ${element}`);
        await context.close();
      }
    }
    await browser.close();
    await close();
    return found;
  },
  tried: (n) => `${n.payloads} payloads, each in all texts of ${n.visits / n.payloads} pages`,
  found: (n) =>
    `${n.ran} ran, ${n.left} became elements, ${n.refused} had to be stopped by the page's policy`,
  holds: (n) => n.ran + n.left + n.refused === 0,
};
