// Writes the pictures of README, docs and link previews from the built site with the sample study. The
// clock is stopped and random numbers are fixed, so that a picture changes only if the page does. Those of
// the docs are also drawn for narrow windows, as NAME-narrow.png.
//   node tools/pictures.mjs [NAME...], or make pictures, which installs the font
/* global document, Image, Worker */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { serve } from '../bench/lib/host.mjs';

const built = fileURLToPath(new URL('../dist/site/', import.meta.url));
/** Margins around the parts of the page in a picture, in pixels. Narrow pages have text close above and below. */
const AIR = { wide: { x: 32, y: 32 }, narrow: { x: 16, y: 0 } };
/** The face of all pictures, so that they do not depend on the machine. */
const FACE = 'Liberation Sans';
const root = fileURLToPath(new URL('..', import.meta.url));

/** For each picture, its page, how to reach the state shown, and the parts of the page in it. */
const pictures = {
  preview: {
    room: 'index.html',
    // What link previews cut to.
    shape: { width: 1200, height: 630 },
    to: 'web/site/public/preview.png',
    async reach(page) {
      await page.locator('pm-live-consortium svg[role=img]').waitFor();
      return [page.locator('.landing.top')];
    },
  },
  'take-part': {
    room: 'index.html',
    narrow: true,
    async reach(page) {
      await page.getByRole('button', { name: 'I have a link' }).click();
      await page.getByRole('button', { name: 'Try the sample study' }).click();
      await page.getByRole('button', { name: 'Try a sample file' }).click();
      await page.getByLabel('Yes, every person has one row').check();
      await page.getByRole('button', { name: 'Make it private' }).click();
      await page.getByText('The exact bytes').click();
      return [page.locator('pm-what-leaves')];
    },
  },
  design: {
    room: 'design.html',
    narrow: true,
    async reach(page) {
      await page.getByRole('button', { name: 'Start from the sample' }).click();
      await page.getByRole('status').filter({ hasText: 'At ε = 1' }).waitFor();
      await page
        .locator('.lever')
        .getByText(/clear|would cut/)
        .waitFor();
      return [page.getByRole('region', { name: 'Forecast' })];
    },
  },
  analyse: {
    room: 'analyse.html',
    // The next heading is close below.
    shape: { height: 564 },
    async reach(page) {
      await page.getByRole('button', { name: 'Try the sample study' }).click();
      await page.getByRole('heading', { name: 'Canonical correlations' }).waitFor();
      return [page.locator('#correlations'), page.getByText('“Goes with” is not “causes”.')];
    },
  },
  explore: {
    room: 'explore.html',
    narrow: true,
    async reach(page) {
      await page.getByText('Mean of 500 runs').waitFor();
      return [page.locator('pm-consortium')];
    },
  },
};

/**
 * Runs first in every page and worker, to fix the time and random numbers. Each worker has different
 * random numbers, the same each time.
 */
function stopChance() {
  let state = 1 + Number(globalThis.location?.hash.slice(1) || 0);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return (mixed ^ (mixed >>> 14)) & 255;
  };
  crypto.getRandomValues = (array) => {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).forEach((_, i, bytes) => {
      bytes[i] = next();
    });
    return array;
  };
  const now = Date.UTC(2026, 0, 5, 9);
  globalThis.Date = class extends Date {
    constructor(...parts) {
      super(...(parts.length === 0 ? [now] : parts));
    }
    static now = () => now;
  };
  performance.now = () => 0;
  let workers = 0;
  globalThis.Worker &&= class extends Worker {
    constructor(address, options) {
      super(`${address}#${++workers}`, options);
    }
  };
}

/** Copies the site, with `stopChance` at the start of its workers. */
function siteWithoutChance(folder) {
  cpSync(built, folder, { recursive: true });
  rmSync(join(folder, 'sw.js'));
  const assets = join(folder, 'assets');
  for (const name of readdirSync(assets).filter((file) => /worker.*\.js$/.test(file))) {
    const source = readFileSync(join(assets, name), 'utf8');
    writeFileSync(join(assets, name), `(${stopChance})();${source}`);
  }
}

/** The bounding box of these boxes, with a margin. */
function around(boxes, air) {
  const left = Math.min(...boxes.map(({ x }) => x)) - air.x;
  const top = Math.min(...boxes.map(({ y }) => y)) - air.y;
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + air.x;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + air.y;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The 256 most common colours of a picture, and the index of the nearest one for each pixel. */
async function quantised(page, png) {
  const { indices, ...others } = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
      const times = new Map();
      for (const pixel of pixels) times.set(pixel, (times.get(pixel) ?? 0) + 1);
      const channels = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
      const common = [...times].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
      const palette = common.slice(0, 256).map(([pixel]) => channels(pixel));
      const distance = (a, b) => a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0);
      const nearest = new Map();
      for (const [pixel] of common) {
        const own = channels(pixel);
        const far = palette.map((colour) => distance(own, colour));
        nearest.set(pixel, far.indexOf(Math.min(...far)));
      }
      return { width, height, palette, indices: Array.from(pixels, (pixel) => nearest.get(pixel)) };
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  return { ...others, indices: Buffer.from(indices) };
}

/** A picture as PNG with a palette, a third of the size of a PNG with all colours. */
function encoded({ width, height, palette, indices }) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  // Eight bits for each pixel, an index in the palette.
  header.set([8, 3], 8);
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), indices.subarray(y * width, (y + 1) * width)]),
  );
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @throws Error if the pictures' face is not installed */
function requireFace() {
  const found = execFileSync('fc-match', [FACE, 'family'], { encoding: 'utf8' }).trim();
  if (found !== FACE) throw new Error(`${FACE} is not installed: run make pictures`);
}

/** Takes one picture of a room and writes it. */
async function take(browser, address, { room, reach, shape }, { isNarrow, to }) {
  const context = await browser.newContext({
    viewport: { width: isNarrow ? 360 : 1280, height: isNarrow ? 6000 : 3000 },
    deviceScaleFactor: isNarrow ? 2 : 1,
    locale: 'en',
    timezoneId: 'UTC',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  // The machine may be shared.
  context.setDefaultTimeout(120_000);
  await context.addInitScript(stopChance);
  const page = await context.newPage();
  await page.goto(`${address}site/${room}`);
  const shown = await reach(page);
  await page.waitForLoadState('networkidle');
  const boxes = await Promise.all(shown.map((part) => part.boundingBox()));
  const clip = { ...around(boxes, isNarrow ? AIR.narrow : AIR.wide), ...shape };
  const shot = await page.screenshot({ clip, animations: 'disabled' });
  const picture = encoded(await quantised(page, shot));
  writeFileSync(join(root, to), picture);
  console.log(`${to}: ${(picture.length / 1000).toFixed(0)} kB`);
  await context.close();
}

requireFace();
const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
siteWithoutChance(folder);
const host = await serve({ site: folder });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking'],
});
for (const [name, picture] of Object.entries(pictures)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const { narrow, to = `docs/images/${name}.png` } = picture;
  await take(browser, host.address, picture, { isNarrow: false, to });
  if (narrow) {
    const beside = to.replace(/\.png$/, '-narrow.png');
    await take(browser, host.address, picture, { isNarrow: true, to: beside });
  }
}
await browser.close();
await host.close();
rmSync(folder, { recursive: true });
