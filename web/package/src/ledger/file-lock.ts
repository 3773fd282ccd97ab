/**
 * A lock file that does not stay locked when its process is killed.
 *
 * The file at `path` names its holder by an id that is used once. If that process is gone, the process that
 * creates `path.ID` (only one can) becomes the holder; if that one is gone too, `path.ITS-ID` continues the
 * chain. After creating such a file, a process checks that `path` still names the first holder of the chain,
 * and gives up if not: a holder removes `path` before the other files, so nobody takes over from a holder
 * whose successor has finished. A holder that is killed between the two leaves files that continue no chain;
 * whoever holds the lock next removes them.
 */
import { digest } from '../base/canonical.js';
import { PrivateMomentsError } from '../base/errors.js';
import {
  builtin,
  codeOf,
  type FileSystem,
  type OperatingSystem,
  type Paths,
  type ThisProcess,
} from '../base/host.js';
import { ledgerUnavailable } from './ledger-storage.js';

/** How long to wait for another process. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 20;

/** Longest chain of lost holders to follow; a longer one is not an accident. */
const MAX_CHAIN = 1000;

/** Allowed difference between two processes' boot times when they are computed from the uptime. */
const BOOT_TOLERANCE_MS = 10_000;

/** Error codes of file systems without hard links. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** The process namespace of a Linux machine itself, outside containers. */
const FIRST_NAMESPACE = 'pid:[4026531836]';

/** Ids under which this program no longer holds a lock, although a file that says so could not be removed. */
const abandoned = new Set<string>();

const IS_ID = /^[0-9a-f-]{36}$/;

interface Holder {
  id: string;
  pid: number;
  /** Start time of the process in the units of its system; null if unknown. */
  started: string | null;
  host: string;
  /** Identifies the boot of the machine and, on Linux, the process namespace. */
  boot: string | number;
  /** On Linux outside containers: identifies the installation of the system; null if unknown. */
  machine: string | null;
  /** When it requested the lock, ISO 8601. */
  at: string;
}

interface Link {
  file: string;
  /** Null if the file does not name one. */
  holder: Holder | null;
}

interface Node {
  files: FileSystem;
  paths: Paths;
  system: OperatingSystem;
  self: ThisProcess;
}

/**
 * Waits until the lock is free or its holder is gone, and takes it.
 * @returns a function that releases the lock.
 * @throws PrivateMomentsError `ledger-unavailable` if another process still holds it after 10 seconds.
 */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  const node = nodeParts();
  const self = await describeSelf(node);
  const abandon = (error: unknown): never => {
    abandoned.add(self.id);
    throw error;
  };
  for (const since = performance.now(); ;) {
    const chain = await chainAt(node, path);
    const last = chain.at(-1);
    const free = last === undefined ? path : await placeAfter(node, path, last.holder, self);
    // A file may have been made although the call failed, as on network file systems.
    if (free !== undefined && (await claim(node, free, path, self).catch(abandon))) {
      const [first] = chain;
      const taken = [...chain.map(({ file }) => file), free];
      if (!first || (await isHolder(node, path, first.holder).catch(abandon))) {
        return () => release(node, path, taken).catch(abandon);
      }
      await remove(node, free).catch(abandon);
    } else if (performance.now() - since > PATIENCE_MS) {
      throw last === undefined ? ledgerUnavailable() : held(last, self);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function nodeParts(): Node {
  const files = builtin('node:fs/promises');
  const paths = builtin('node:path');
  const system = builtin('node:os');
  const self = builtin('node:process');
  if (!files || !paths || !system || !self) throw ledgerUnavailable();
  return { files, paths, system, self };
}

async function describeSelf(node: Node): Promise<Holder> {
  const { pid } = node.self;
  const about = await processAt(node, pid);
  return {
    id: crypto.randomUUID(),
    pid,
    started: about?.started ?? null,
    host: node.system.hostname(),
    boot: (await bootOf(node)) ?? Date.now() - 1000 * node.system.uptime(),
    machine: await machineOf(node),
    at: new Date().toISOString(),
  };
}

/** On Linux: an id of this boot of the machine and of the process namespace. */
async function bootOf({ files }: Node): Promise<string | undefined> {
  try {
    const boot = textOf(await files.readFile('/proc/sys/kernel/random/boot_id')).trim();
    return `${boot} ${await files.readlink('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

async function machineOf({ files }: Node): Promise<string | null> {
  try {
    if ((await files.readlink('/proc/self/ns/pid')) !== FIRST_NAMESPACE) return null;
    const id = textOf(await files.readFile('/etc/machine-id')).trim();
    // The id itself should not leave the machine (machine-id(5)), and folders may be shared.
    return id === '' ? null : digest({ machine: id });
  } catch {
    return null;
  }
}

/** The state of a process on Linux; undefined if it does not exist, and on other systems. */
async function processAt(
  { files }: Node,
  pid: number,
): Promise<{ started: string; isGone: boolean } | undefined> {
  try {
    const stat = textOf(await files.readFile(`/proc/${pid}/stat`));
    // The process name before the fields may contain anything; it ends at the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { started: fields[19] ?? '', isGone: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return undefined;
  }
}

/** The first holder and those that took over from it, in order. */
async function chainAt(node: Node, path: string): Promise<Link[]> {
  const chain: Link[] = [];
  for (let file = path; chain.length < MAX_CHAIN;) {
    const holder = await holderAt(node, file);
    if (holder === undefined) break;
    chain.push({ file, holder });
    if (holder === null) break;
    file = `${path}.${holder.id}`;
  }
  return chain;
}

/** Undefined if there is no such file, null if it does not name a holder. */
async function holderAt({ files }: Node, file: string): Promise<Holder | null | undefined> {
  try {
    const {
      id,
      pid,
      started,
      host,
      boot,
      machine = null,
      at,
    } = JSON.parse(textOf(await files.readFile(file))) as Record<keyof Holder, unknown>;
    const isHolder =
      [id, host, at].every((one) => typeof one === 'string') &&
      IS_ID.test(String(id)) &&
      Number.isSafeInteger(pid) &&
      (started === null || typeof started === 'string') &&
      (typeof boot === 'string' || typeof boot === 'number') &&
      (machine === null || typeof machine === 'string');
    return isHolder ? ({ id, pid, started, host, boot, machine, at } as Holder) : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

async function isHolder(node: Node, path: string, holder: Holder | null): Promise<boolean> {
  return holder !== null && (await holderAt(node, path))?.id === holder.id;
}

/** The file to create to take over from a holder; undefined unless it is gone. */
async function placeAfter(
  node: Node,
  path: string,
  holder: Holder | null,
  self: Holder,
): Promise<string | undefined> {
  if (holder === null) return undefined;
  const isGone =
    hasRestarted(holder, self) || (isSameMachine(holder, self) && !(await isAlive(node, holder)));
  return isGone ? `${path}.${holder.id}` : undefined;
}

/** Whether the holder ran on this machine before it was last started. */
function hasRestarted(holder: Holder, self: Holder): boolean {
  const isHere = holder.machine !== null && holder.machine === self.machine;
  return isHere && holder.host === self.host && holder.boot !== self.boot;
}

function isSameMachine(holder: Holder, self: Holder): boolean {
  if (holder.host !== self.host) return false;
  if (typeof holder.boot === 'string' || typeof self.boot === 'string') {
    return holder.boot === self.boot;
  }
  return Math.abs(holder.boot - self.boot) < BOOT_TOLERANCE_MS;
}

async function isAlive(node: Node, { id, pid, started }: Holder): Promise<boolean> {
  if (abandoned.has(id)) return false;
  try {
    node.self.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
  const found = await processAt(node, pid);
  if (found === undefined) return true;
  return !found.isGone && (started === null || found.started === started);
}

/** Creates a file that names its holder from the first moment on. False if it exists already. */
async function claim(node: Node, file: string, path: string, self: Holder): Promise<boolean> {
  const { files } = node;
  const draft = `${path}-${self.id}`;
  const text = JSON.stringify(self);
  try {
    await writeNew(files, draft, text);
    await files.link(draft, file);
    return true;
  } catch (error) {
    // ENOENT: the process that held the lock has tidied the draft away. EEXIST may mean this very draft.
    if (['EEXIST', 'ENOENT'].includes(String(codeOf(error)))) {
      return await isHolder(node, file, self);
    }
    if (!NO_LINKS.includes(codeOf(error))) throw error;
  } finally {
    // Whoever releases the lock removes drafts that are left.
    await remove(node, draft).catch(() => undefined);
  }
  return writeNew(files, file, text).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    },
  );
}

async function writeNew(files: FileSystem, file: string, text: string): Promise<void> {
  const opened = await files.open(file, 'wx', 0o600);
  try {
    await opened.writeFile(text);
  } finally {
    await opened.close();
  }
}

/**
 * Removes the files of the chain, `path` first: without it the others have no effect. Before that, removes
 * those that killed processes left: of earlier chains, and drafts.
 */
async function release(node: Node, path: string, taken: readonly string[]): Promise<void> {
  for (const file of await filesBeside(node, path)) {
    // What is left is in nobody's way, and the next one tries again.
    if (!taken.includes(file)) await remove(node, file).catch(() => undefined);
  }
  await node.files.unlink(path);
  for (const file of taken) if (file !== path) await remove(node, file);
}

/** All files beside `path` that are named like a successor's or a draft. */
async function filesBeside({ files, paths }: Node, path: string): Promise<string[]> {
  const folder = paths.dirname(path);
  const start = paths.basename(path);
  // Tidying up is no reason to keep the lock, in a folder that cannot be listed for example.
  const names = await files.readdir(folder).catch(() => []);
  return names
    .filter((name) => name.startsWith(start) && /^[.-]/.test(name.slice(start.length)))
    .filter((name) => IS_ID.test(name.slice(start.length + 1)))
    .map((name) => paths.join(folder, name));
}

/** Removes a file that the next holder may have removed already. */
async function remove({ files }: Node, file: string): Promise<void> {
  await files.unlink(file).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
}

function held({ file, holder }: Link, self: Holder): PrivateMomentsError {
  const who = holder === null ? 'another process' : `process ${holder.pid}`;
  const isElsewhere = holder !== null && !isSameMachine(holder, self);
  const where = isElsewhere ? ` on the host "${holder.host}"` : '';
  const since = holder === null ? '' : ` since ${holder.at}`;
  const message = `${who}${where} has locked the ledger${since}; if that process is gone, delete ${file}`;
  return new PrivateMomentsError('ledger-unavailable', message);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
