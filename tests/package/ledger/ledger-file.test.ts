import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import files from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLedger, defineStudy, privatize } from 'private-moments';
import { fileStorage } from 'private-moments/node';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { definition, failure, seeded, sourceFolder } from '../support.js';

const study = defineStudy(definition());
const CSV = 'age,sleep,work,mood\n34,7.5,day,2\n51,6,night,-1\n';
const ONE_RELEASE = { epsilon: 1, delta: 1e-6 };

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'ledger.json');
}

function besides(path: string): string[] {
  return readdirSync(dirname(path)).filter((name) => name !== 'ledger.json');
}

/** A process that adds entries to a list in the storage, and prints each one after writing it. */
const ADDER = (path: string, most: number, inside: string) => `
  import { writeSync } from 'node:fs';
  import { fileStorage } from 'private-moments/node';
  const storage = fileStorage(${JSON.stringify(path)});
  for (let i = 0; ; i++) {
    const entry = process.pid + '-' + i;
    let isFull = false;
    await storage.update((text) => {
      const list = JSON.parse(text ?? '[]');
      isFull = list.length >= ${most};
      ${inside}
      return isFull ? null : JSON.stringify([...list, entry]);
    });
    if (isFull) break;
    writeSync(1, entry + '\\n');
  }`;

function inNode(source: string): string[] {
  return ['--input-type=module', '-e', source];
}

function entriesAt(path: string): string[] {
  return JSON.parse(readFileSync(path, 'utf8')) as string[];
}

describe('a ledger file under a second name', () => {
  test.each<[string, (path: string, other: string) => void]>([
    ['a symbolic link', symlinkSync],
    ['a hard link', linkSync],
    [
      'a link to its folder',
      (path, other) => {
        symlinkSync(dirname(path), dirname(other));
      },
    ],
  ])('that is %s cannot spend a budget twice', async (what, link) => {
    const path = newPath();
    const other =
      what === 'a link to its folder'
        ? join(`${dirname(path)}-too`, 'ledger.json')
        : `${path}.second`;
    await createLedger(fileStorage(path)).budget(ONE_RELEASE);
    link(path, other);
    let made = 0;
    for (const name of [other, path, other]) {
      const ledger = createLedger(fileStorage(name));
      await privatize(study, CSV, { ledger }).then(
        () => made++,
        () => undefined,
      );
    }
    expect(made).toBe(what === 'a hard link' ? 0 : 1);
  });

  it('that is a hard link is refused until the link is gone', async () => {
    const path = newPath();
    const ledger = createLedger(fileStorage(path));
    await ledger.budget(ONE_RELEASE);
    linkSync(path, `${path}.second`);
    for (const name of [path, `${path}.second`]) {
      await failure(() => createLedger(fileStorage(name)).entries(), {
        code: 'ledger-linked',
        message: /hard link/,
      });
    }
    expect(besides(path)).toEqual(['ledger.json.second']);
  });

  it('that is a link to a missing file creates that file', async () => {
    const path = newPath();
    const other = join(dirname(path), 'other');
    mkdirSync(other);
    symlinkSync('../ledger.json', join(other, 'link.json'));
    await createLedger(fileStorage(join(other, 'link.json'))).budget(ONE_RELEASE);
    expect(await createLedger(fileStorage(path)).budget()).toEqual(ONE_RELEASE);
    expect(readdirSync(other)).toEqual(['link.json']);
  });
});

describe('the lock of a ledger file', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A read of the storage that runs into the timeout. */
  async function waited(action: () => Promise<unknown>, expected: { message: RegExp }) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    let isDone = false as boolean;
    const asked = failure(action, { code: 'ledger-unavailable', ...expected }).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await vi.advanceTimersByTimeAsync(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await asked;
  }

  it('is taken over from a process that was killed in the middle of a change', async () => {
    const path = newPath();
    await createLedger(fileStorage(path)).budget(ONE_RELEASE);
    const source = `
      import { createLedger, parseStudy, privatize } from 'private-moments';
      import { fileStorage } from 'private-moments/node';
      const study = parseStudy(${JSON.stringify(JSON.stringify(study))});
      const inner = fileStorage(${JSON.stringify(path)});
      const update = (change) => inner.update((text) => {
        const next = change(text);
        if (next?.includes('intended')) process.kill(process.pid, 'SIGKILL');
        return next;
      });
      await privatize(study, ${JSON.stringify(CSV)}, { ledger: createLedger({ update }) });`;
    const run = spawnSync(process.execPath, inNode(source), {
      cwd: sourceFolder,
      timeout: 120_000,
    });
    expect(run.signal).toBe('SIGKILL');
    expect(besides(path)).toEqual(['ledger.json.lock']);
    const ledger = createLedger(fileStorage(path));
    await privatize(study, CSV, { ledger });
    expect(besides(path)).toEqual([]);
    await failure(() => privatize(study, CSV, { ledger }), { code: 'over-budget' });
  }, 180_000);

  it('is taken over repeatedly if each successor is killed too', async () => {
    const path = newPath();
    const dying = ADDER(path, 100, `if (list.length > 2) process.kill(process.pid, 'SIGKILL');`);
    for (let i = 0; i < 4; i++) {
      const run = spawnSync(process.execPath, inNode(dying), {
        cwd: sourceFolder,
        timeout: 120_000,
      });
      expect(run.signal).toBe('SIGKILL');
    }
    expect(besides(path)).toHaveLength(4);
    await fileStorage(path).update((text) => text);
    expect(besides(path)).toEqual([]);
    expect(entriesAt(path)).toHaveLength(3);
  }, 180_000);

  it('leaves no file behind that a process left when it was killed while taking or releasing it', async () => {
    const path = newPath();
    const left = `${path}.lock.7b0d2ab3-6d3a-4a63-9f0e-0f4b7a9f1c11`;
    const draft = `${path}.lock-7b0d2ab3-6d3a-4a63-9f0e-0f4b7a9f1c12`;
    const another = `${path}.lock.backup`;
    for (const name of [left, draft, another]) writeFileSync(name, '{}');
    await fileStorage(path).update(() => '[]');
    expect(besides(path)).toEqual(['ledger.json.lock.backup']);
  });

  it('loses no entry and admits none over budget in 24 kills of competing processes', async () => {
    const path = newPath();
    const most = 100_000;
    const random = seeded(24);
    const written: string[] = [];
    const start = (limit: number): { child: ChildProcess; ended: Promise<unknown> } => {
      const child = spawn(process.execPath, inNode(ADDER(path, limit, '')), {
        ...{ cwd: sourceFolder, stdio: ['ignore', 'pipe', 'inherit'] },
      });
      child.stdout.on('data', (piece: Buffer) => {
        written.push(...String(piece).split('\n').filter(Boolean));
      });
      return { child, ended: new Promise((resolve) => child.once('close', resolve)) };
    };
    for (let round = 0; round < 12; round++) {
      const children = [start(most), start(most)];
      const before = written.length;
      // Each has started and may be in any step.
      while (written.length < before + 3) await new Promise((resolve) => setTimeout(resolve, 5));
      for (const { child } of children) {
        await new Promise((resolve) => setTimeout(resolve, 20 * random()));
        child.kill('SIGKILL');
      }
      await Promise.all(children.map(({ ended }) => ended));
    }
    const left = entriesAt(path);
    expect(new Set(left).size).toBe(left.length);
    expect(left).toEqual(expect.arrayContaining(written));
    // Written but not yet printed: at most one for each killed process.
    expect(left.length - written.length).toBeLessThanOrEqual(24);
    const limit = left.length + 5;
    const last = [start(limit), start(limit)];
    await Promise.all(last.map(({ ended }) => ended));
    expect(entriesAt(path)).toHaveLength(limit);
    expect(besides(path)).toEqual([]);
  }, 300_000);

  it('does not bar this program whichever of its files cannot be removed', async () => {
    for (let failing = 1, removals = 1; removals >= failing; failing++) {
      const storage = fileStorage(newPath());
      const { unlink } = files;
      removals = 0;
      const spy = vi.spyOn(files, 'unlink').mockImplementation((file) => {
        const error = Object.assign(new Error('no'), { code: 'EIO' });
        return ++removals === failing ? Promise.reject(error) : unlink(file);
      });
      await storage.update(() => 'first').catch(() => undefined);
      spy.mockRestore();
      // Fails after ten seconds if the lock is held.
      await storage.update((text) => `${text ?? ''}, second`);
      await storage.update((text) => {
        expect(text).toBe('first, second');
        return null;
      });
    }
  });

  it('of a running process is kept, and the error names the process', async () => {
    const path = newPath();
    const waiting = ADDER(
      path,
      9,
      `process.send?.('in'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
    );
    const child = spawn(process.execPath, inNode(waiting), {
      ...{ cwd: sourceFolder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    });
    try {
      await new Promise((resolve) => child.once('message', resolve));
      await waited(() => fileStorage(path).update(() => 'x'), {
        message: new RegExp(
          `^process ${child.pid} has locked the ledger since 2.*delete .*\\.lock$`,
        ),
      });
    } finally {
      child.kill('SIGKILL');
    }
  }, 120_000);

  test.each<[string, string, RegExp]>([
    [
      'of another host',
      JSON.stringify({
        ...{ id: '7b0d2ab3-6d3a-4a63-9f0e-0f4b7a9f1c11', pid: 1, started: null, host: 'elsewhere' },
        ...{ boot: 'another', at: '2026-01-01T00:00:00.000Z' },
      }),
      /^process 1 on the host "elsewhere" has locked the ledger since 2026.*delete/,
    ],
    [
      'of another run of this machine',
      JSON.stringify({
        ...{ id: '7b0d2ab3-6d3a-4a63-9f0e-0f4b7a9f1c11', pid: 2 ** 30, started: null },
        ...{ host: hostname(), boot: 'another', at: '2026-01-01T00:00:00.000Z' },
      }),
      /^process 1073741824 on the host .* has locked the ledger/,
    ],
    ['that is empty', '', /^another process has locked the ledger; .*delete/],
    ['that is not JSON', 'x', /^another process has locked the ledger/],
    ['that is another JSON', 'null', /^another process has locked the ledger/],
  ])('%s is not taken over', async (_, text, message) => {
    const path = newPath();
    writeFileSync(`${path}.lock`, text);
    await waited(() => fileStorage(path).update(() => 'x'), { message });
    expect(besides(path)).toEqual(['ledger.json.lock']);
  });
});
