import { cell } from '../lib/comparison.mjs';
import { summary } from '../lib/statistics.mjs';
import { table } from '../lib/text.mjs';

/** Pages of the site with a slider that changes figures, and an element shown once they are complete. */
const ROOMS = [
  {
    name: 'Design a study, ε',
    path: 'design.html',
    element: 'pm-study-designer',
    figure: 'pm-forecast-figure',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Start from the sample' }).click();
      await page.getByRole('status').filter({ hasText: 'At ε = 1' }).waitFor();
    },
  },
  {
    name: 'Explore, mechanisms, ε',
    path: 'explore.html#mechanisms',
    element: 'pm-mechanism-comparison',
    figure: 'pm-comparison-figure',
    ready: (page) => page.getByText('All runs are done.').waitFor({ timeout: 300_000 }),
  },
];

/** Measures the time from a step of a slider until the figures are drawn again and laid out. */
export async function sliders({ browser, quick, say }) {
  say('## A step of a slider\n');
  say(
    'From a key press on a slider until its figures are drawn again and laid out, in milliseconds.\n',
  );
  const rows = [];
  for (const { name, path, element, figure, ready } of ROOMS) {
    const page = await browser.visit(path);
    await ready(page);
    const times = await page.locator(element).evaluate(stepThrough, {
      figure,
      steps: quick ? 10 : 40,
    });
    const steps = summary(times);
    rows.push([name, cell(steps), String(Math.round(Math.max(...times)))]);
    await page.context().close();
  }
  say(table(['', 'ms', 'longest'], rows));
}

/** Runs in the page. Steps back and forth, so as to stay within the slider's range. */
async function stepThrough(room, { figure, steps }) {
  const root = room.shadowRoot;
  const range = root.querySelector('pm-log-slider').shadowRoot.querySelector('input[type=range]');
  const figures = [...root.querySelectorAll(figure)];
  const times = [];
  for (let step = 0; step < steps; ++step) {
    const key = step % 4 < 2 ? 'ArrowRight' : 'ArrowLeft';
    const start = globalThis.performance.now();
    range.dispatchEvent(
      new globalThis.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
    await room.updateComplete;
    await Promise.all(figures.map(({ updateComplete }) => updateComplete));
    figures.at(-1).getBoundingClientRect();
    times.push(globalThis.performance.now() - start);
    await new Promise(globalThis.requestAnimationFrame);
  }
  return times;
}
