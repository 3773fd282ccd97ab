import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLedger } from 'private-moments';
import { fileStorage } from 'private-moments/node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failure } from '../support.js';

const BUDGET = { epsilon: 1, delta: 1e-6 };
type Files = typeof import('node:fs/promises');
const builtin = process.getBuiltinModule.bind(process);
const files = builtin('node:fs/promises');

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'ledger.json');
}

/** Replaces some functions of the file system, for the package alone. */
function withFiles(changed: Partial<Files>): void {
  vi.spyOn(process, 'getBuiltinModule').mockImplementation((name: string) =>
    name === 'node:fs/promises' ? { ...files, ...changed } : builtin(name),
  );
}

/** The disk, whose opened files do something else at a step. */
function withOpened(change: (path: string, file: FileHandle) => void): void {
  withFiles({
    open: async (path, flags, mode) => {
      const file = await files.open(path, flags, mode);
      change(String(path), file);
      return file;
    },
  });
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'write' });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a ledger file', () => {
  it('is on the disk, with its name, before a change is done', async () => {
    const path = newPath();
    const steps: string[] = [];
    withFiles({
      open: async (name, flags, mode) => {
        const file = await files.open(name, flags, mode);
        const sync = file.sync.bind(file);
        file.sync = async () => {
          await sync();
          steps.push(`sync ${String(name).replace(dirname(path), 'folder')}`);
        };
        return file;
      },
      rename: async (from, to) => {
        await files.rename(from, to);
        steps.push('rename');
      },
      unlink: async (name) => {
        await files.unlink(name);
        if (name === `${path}.lock`) steps.push('unlock');
      },
    });
    await createLedger(fileStorage(path)).budget(BUDGET);
    expect(steps).toEqual(['sync folder/ledger.json.new', 'rename', 'sync folder', 'unlock']);
  });

  it.each(['EISDIR', 'EPERM', 'EINVAL'])(
    'is written where folders cannot be synchronised (%s)',
    async (code) => {
      const path = newPath();
      withOpened((name, file) => {
        if (name === dirname(path)) file.sync = () => Promise.reject(systemError(code));
      });
      await createLedger(fileStorage(path)).budget(BUDGET);
      expect(await createLedger(fileStorage(path)).budget()).toEqual(BUDGET);
    },
  );

  it.each<[string, string, (path: string) => (name: string) => boolean]>([
    ['full while the ledger is written', 'ENOSPC', (path) => (name) => name === `${path}.new`],
    [
      'full while the lock is taken',
      'ENOSPC',
      (path) => (name) => name.startsWith(`${path}.lock-`),
    ],
    ['over quota', 'EDQUOT', (path) => (name) => name === `${path}.new`],
  ])('stays as it was if the disk is %s', async (_, code, isAffected) => {
    const path = newPath();
    await createLedger(fileStorage(path)).budget(BUDGET);
    const before = readFileSync(path, 'utf8');
    withOpened((name, file) => {
      if (isAffected(path)(name)) file.writeFile = () => Promise.reject(systemError(code));
    });
    await failure(() => createLedger(fileStorage(path)).budget(null), {
      code: 'ledger-unavailable',
      message: new RegExp(`ledger.json cannot be read or written \\(${code}\\).*make room`),
    });
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(readdirSync(dirname(path))).toEqual(['ledger.json']);
  });

  it('fails with what to do in a folder that cannot be written', async () => {
    const path = newPath();
    withFiles({ open: () => Promise.reject(systemError('EROFS')) });
    await failure(() => createLedger(fileStorage(path)).budget(BUDGET), {
      code: 'ledger-unavailable',
      message: /EROFS.*allow this program to read and write in its folder/,
    });
  });

  it('that is not text is damaged', async () => {
    const path = newPath();
    await createLedger(fileStorage(path)).budget(BUDGET);
    const bytes = readFileSync(path);
    bytes[30] = (bytes[30] ?? 0) | 0x80;
    writeFileSync(path, bytes);
    await failure(() => createLedger(fileStorage(path)).budget(), { code: 'ledger-damaged' });
  });
});

describe('the lock of a ledger file from before a restart', () => {
  const BOOT = '/proc/sys/kernel/random/boot_id';

  /** This machine, as Linux describes it. */
  function onMachine(id: string, namespace: string, boot: string): void {
    withFiles({
      readFile: ((name: string) => {
        if (name === '/etc/machine-id') return Promise.resolve(Buffer.from(`${id}\n`));
        return name === BOOT ? Promise.resolve(Buffer.from(boot)) : files.readFile(name);
      }) as never,
      readlink: ((name: string) =>
        name === '/proc/self/ns/pid' ? Promise.resolve(namespace) : files.readlink(name)) as never,
    });
  }

  /** The lock of a process that began a change and did not end it. */
  async function lockLeft(path: string): Promise<string> {
    let lock = '';
    await fileStorage(path).update(() => {
      lock = readFileSync(`${path}.lock`, 'utf8');
      return 'x';
    });
    return lock;
  }

  const MACHINE = 'pid:[4026531836]';

  it('is taken over on the same machine', async () => {
    const path = newPath();
    onMachine('a', MACHINE, 'first');
    writeFileSync(`${path}.lock`, await lockLeft(path));
    onMachine('a', MACHINE, 'second');
    await fileStorage(path).update(() => 'y');
    expect(readFileSync(path, 'utf8')).toBe('y');
    expect(readdirSync(dirname(path))).toEqual(['ledger.json']);
  });

  it.each<[string, [string, string, string], string | undefined]>([
    ['of another machine of the same name', ['b', MACHINE, 'second'], undefined],
    ['in a container', ['a', 'pid:[4026532000]', 'second'], undefined],
    ['of a machine that has no id', ['', MACHINE, 'second'], undefined],
    ['of another host', ['a', MACHINE, 'second'], 'elsewhere'],
  ])('is not taken over from a process %s', async (_, machine, host) => {
    const path = newPath();
    onMachine('a', MACHINE, 'first');
    const lock = (await lockLeft(path)).replace(hostname(), host ?? hostname());
    writeFileSync(`${path}.lock`, lock);
    onMachine(...machine);
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(20_000);
    await failure(() => fileStorage(path).update(() => 'y'), {
      code: 'ledger-unavailable',
      message: /has locked the ledger since/,
    });
    expect(readFileSync(path, 'utf8')).toBe('x');
  });

  it('does not contain the id of the machine', async () => {
    const path = newPath();
    onMachine('0123456789abcdef', MACHINE, 'first');
    expect(await lockLeft(path)).not.toContain('0123456789abcdef');
  });

  it('is locked once, and is free again, if the lock was made although the disk said no', async () => {
    const linked = (code: string): Partial<Files> => ({
      link: async (from, to) => {
        await files.link(from, to);
        throw systemError(code);
      },
    });
    const path = newPath();
    withFiles(linked('EEXIST'));
    await createLedger(fileStorage(path)).budget(BUDGET);
    withFiles(linked('EIO'));
    await failure(() => createLedger(fileStorage(path)).budget(BUDGET), {
      code: 'ledger-unavailable',
    });
    vi.restoreAllMocks();
    await createLedger(fileStorage(path)).budget(BUDGET);
    expect(readdirSync(dirname(path))).toEqual(['ledger.json']);
  });
});
