#!/usr/bin/env node
// Tries the package in every tool of tools.mjs, as a user installs it: installs the example in a folder
// of its own with the packed package, builds or serves it, opens it in Chromium and waits for its line.
// Writes RESULTS.md and exits 1 if a tool does worse than it says there. Run it by `make test-ecosystem`.
//   ONLY=vite-8,rollup   tries some of them and leaves the rows of the others as they are
/* global document */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { inShort, merged, parseResults, withResults, worse } from './results.mjs';
import { serve } from './serve.mjs';
import { TOOLS } from './tools.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const RESULTS = join(HERE, 'RESULTS.md');
const { version } = JSON.parse(readFileSync(join(HERE, '../package.json'), 'utf8'));
const TARBALL = join(HERE, `../build/packed/private-moments-${version}.tgz`);
/** What the examples of rows say when all went well. */
const LINE = /rows 5\b/;
/** After this long, in ms, a tool counts as stuck. */
const PATIENCE = { command: 300_000, page: 90_000 };

const FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update'];

const environment = {
  ...process.env,
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NO_COLOR: '1',
};
// The Makefile points Emscripten's tools to other modules, which an example must not find.
delete environment.NODE_PATH;

/** Starts a command in a process group of its own, as tools start further processes. */
function start(folder, command, args) {
  const child = spawn(command, args, {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const hear = (text) => (said += text);
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    said: () => said,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
      await ended;
    },
  };
}

/** Runs a command to its end and returns what it said. Throws that if it failed. */
async function run(folder, command, ...args) {
  const job = start(folder, command, args);
  const timer = setTimeout(() => job.stop(), PATIENCE.command);
  const code = await job.ended;
  clearTimeout(timer);
  if (code !== 0) throw new Error(errorIn(job.said()));
  return job.said();
}

/** The first line of a tool's output that looks like its error. */
function errorIn(said) {
  const lines = said.split('\n').map((line) => line.trim());
  const isError = (line) =>
    /error|cannot|could not|failed|refused|invalid/i.test(line) &&
    !/build failed|during build:?$|^>|^●/i.test(line);
  const isThrown = (line) => /^\w*Error(?: \[\w+\])?: \S/.test(line);
  return (
    lines.find(isThrown) ??
    lines.find(isError) ??
    lines.findLast((line) => line !== '') ??
    'no output'
  );
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function textIn(page) {
  for (const frame of page.frames()) {
    // Development servers reload their page while it is read.
    const text = await frame
      .evaluate(() => document.querySelector('output')?.textContent)
      .catch(() => undefined);
    if (text) return text;
  }
  return undefined;
}

/** Opens an address and returns the line that the page shows, which may be an error. */
async function lineOf(address, options = []) {
  const browser = await chromium.launchPersistentContext('', {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [...FLAGS, ...options],
  });
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const deadline = Date.now() + PATIENCE.page;
  try {
    let text;
    await page.goto(address, { waitUntil: 'commit' });
    while (text === undefined && Date.now() < deadline) {
      await sleep(200);
      text = await textIn(page);
      if (text === undefined && complaints.length > 0) {
        // Nothing is shown after an error in the module itself; a reload may follow.
        await sleep(5000);
        text = (await textIn(page)) ?? complaints[0];
      }
    }
    return text ?? 'the page shows nothing';
  } finally {
    await browser.close();
  }
}

async function opened(folder, headers) {
  const host = await serve(folder, headers);
  try {
    return await lineOf(host.address);
  } finally {
    await host.close();
  }
}

async function withElsewhere(folder) {
  const cors = { 'access-control-allow-origin': '*' };
  const host = await serve(join(folder, 'node_modules/private-moments/dist'), cors);
  const file = join(folder, 'index.html');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('https://cdn.example/', host.address));
  try {
    return await opened(folder);
  } finally {
    await host.close();
  }
}

/** Opens the page of an unpacked extension: Chromium derives its address from its folder. */
async function extended(folder) {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  const id = [...hash].map((digit) => 'abcdefghijklmnop'[parseInt(digit, 16)]).join('');
  return lineOf(`chrome-extension://${id}/index.html`, [
    `--disable-extensions-except=${folder}`,
    `--load-extension=${folder}`,
  ]);
}

async function developed(folder, { before, path = '' }, script) {
  if (before !== undefined) await run(folder, 'npm', 'run', before);
  const port = await freePort();
  const job = start(folder, 'npm', ['run', script, '--', '--port', String(port)]);
  const address = `http://localhost:${port}/`;
  try {
    const deadline = Date.now() + PATIENCE.page;
    const answers = () =>
      fetch(address).then(
        () => true,
        () => false,
      );
    while (!(await answers())) {
      if (!job.isRunning() || Date.now() > deadline) throw new Error(errorIn(job.said()));
      await sleep(200);
    }
    const text = await lineOf(address + path);
    // An error on the server.
    return /^Failed to load resource/.test(text) ? errorIn(job.said()) : text;
  } finally {
    await job.stop();
  }
}

/** The line that an example shows, tried in one way. */
async function line(folder, way, script) {
  switch (way.kind) {
    case 'build':
      rmSync(join(folder, 'dist'), { recursive: true, force: true });
      await run(folder, 'npm', 'run', script);
      return opened(join(folder, 'dist'), way.headers);
    case 'extension':
      await run(folder, 'npm', 'run', script);
      return extended(join(folder, 'dist'));
    case 'dev':
      return developed(folder, way, script);
    case 'page':
      return way.isElsewhere ? withElsewhere(folder) : opened(folder, way.headers);
    case 'print':
      return run(folder, 'npm', 'run', '--silent', script);
    case 'test':
      await run(folder, 'npm', 'run', script);
      return undefined;
  }
}

/** Nothing if the line appears, otherwise what did. */
async function errorOf(folder, way, script) {
  try {
    const text = await line(folder, way, script);
    return way.kind === 'test' || LINE.test(text)
      ? undefined
      : way.kind === 'print'
        ? errorIn(text)
        : text;
  } catch (error) {
    return error.message;
  }
}

function manifestOf({ folder, pins = {} }) {
  const manifest = JSON.parse(readFileSync(join(HERE, folder, 'package.json'), 'utf8'));
  Object.assign(manifest.devDependencies, pins);
  return manifest;
}

function versionOf(tool) {
  return manifestOf(tool).devDependencies[tool.tool] ?? '';
}

/** Installs an example. Its tool may run in a Node of its own, without which the machine's would be tried. */
async function install(folder, tool) {
  for (const from of ['shared', tool.folder]) cpSync(join(HERE, from), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifestOf(tool)));
  await run(folder, 'npm', 'install', '--no-audit', '--no-fund', '--no-package-lock', TARBALL);
  const { node } = manifestOf(tool).devDependencies;
  if (node === undefined) return;
  const found = await run(folder, 'npm', 'exec', '--', 'node', '--version');
  if (!found.includes(`v${node}`)) throw new Error(`Node ${node} was not installed`);
}

/** Takes away what an example sets for this package. Returns what puts it back. */
function unset(folder, { without = [], withoutFields = [] }) {
  const files = ['package.json', ...without].map((name) => join(folder, name));
  const kept = files.map((file) => readFileSync(file));
  const manifest = JSON.parse(kept[0]);
  for (const field of withoutFields) delete manifest[field];
  writeFileSync(files[0], JSON.stringify(manifest));
  for (const file of files.slice(1)) rmSync(file);
  return () => files.forEach((file, i) => writeFileSync(file, kept[i]));
}

/** @returns {Promise<import('./results.mjs').Result[]>} one for each way */
async function tried(tool) {
  const folder = mkdtempSync(join(tmpdir(), `${tool.name}-`));
  const results = [];
  const note = (way, outcome, detail, unset = '') => {
    const date = new Date().toISOString().slice(0, 10);
    results.push({
      tool: tool.title,
      version: versionOf(tool),
      way: way.name,
      outcome,
      detail,
      without: unset,
      date,
    });
    console.log(`${tool.name}, ${way.name}: ${outcome}${detail && `: ${detail}`}`);
  };
  try {
    await install(folder, tool);
    const { scripts } = manifestOf(tool);
    for (const way of tool.ways) {
      const plain = `plain:${way.script}`;
      const script = scripts[plain] === undefined ? way.script : plain;
      const restore = unset(folder, way);
      const error = await errorOf(folder, way, script);
      restore();
      if (error === undefined) {
        note(way, 'works', '');
        continue;
      }
      if (way.setting === undefined) {
        note(way, 'fails', inShort(error, folder));
        continue;
      }
      console.log(`${tool.name}, ${way.name}, without settings: ${inShort(error, folder)}`);
      const left = await errorOf(folder, way, way.script);
      if (left === undefined) note(way, 'needs a setting', way.setting, inShort(error, folder));
      else note(way, 'fails', inShort(left, folder));
    }
  } catch (error) {
    for (const way of tool.ways.slice(results.length)) {
      note(way, 'fails', inShort(error.message, folder));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

const only = process.env.ONLY?.split(',').filter((name) => name !== '') ?? [];
const unknown = only.filter((name) => TOOLS.every((tool) => tool.name !== name));
if (unknown.length > 0 || !existsSync(TARBALL)) {
  console.error(
    unknown.length > 0
      ? `No example is named ${unknown.join(', ')}. There are ${TOOLS.map(({ name }) => name).join(', ')}.`
      : 'Run make test-ecosystem, which packs the package first.',
  );
  process.exit(2);
}
const last = parseResults(readFileSync(RESULTS, 'utf8'));
const now = [];
for (const tool of TOOLS) {
  if (only.length === 0 || only.includes(tool.name)) now.push(...(await tried(tool)));
}
const wanted = TOOLS.flatMap((tool) =>
  tool.ways.map(({ name }) => ({ tool: tool.title, version: versionOf(tool), way: name })),
);
// Read again, as another run may have written other rows meanwhile.
const text = readFileSync(RESULTS, 'utf8');
writeFileSync(RESULTS, withResults(text, merged(parseResults(text), now, wanted)));
console.table(
  now.map(({ tool, version, way, outcome }) => ({ tool, version, how: way, result: outcome })),
);
const regressions = worse(last, now);
for (const { tool, version: of, way, outcome } of regressions) {
  console.error(`${tool} ${of}, ${way}: ${outcome}, which is worse than examples/RESULTS.md said`);
}
process.exit(regressions.length === 0 ? 0 : 1);
