/**
 * Workers that can load nothing. Their page needs its own site, so its policy allows requests there, and a worker
 * inherits that. So they are started in an empty frame with a stricter policy, which they inherit: it blocks what
 * no script can remove, too, which is `import()`.
 */
import { trustedBlob } from './trusted.js';

const POLICY = "default-src 'none'; script-src blob: 'wasm-unsafe-eval'; worker-src blob:";

let isConfined = false;

/** Starts workers like this from now on. Each of their files must be complete in itself. */
export function confineWorkers(): void {
  isConfined = true;
}

export function confinesWorkers(): boolean {
  return isConfined;
}

let cell: Promise<Window & typeof globalThis> | undefined;
const scripts = new Map<string, Promise<Blob>>();

/**
 * Starts a worker in the cell.
 * @param address of a module; this page loads it
 * @param before a script that runs first
 */
export async function startInCell(address: string, before: string): Promise<Worker> {
  let script = scripts.get(address);
  if (script === undefined) {
    script = scriptAt(address, before);
    scripts.set(address, script);
    script.catch(() => scripts.delete(address));
  }
  const blob = await script;
  const scope = await openCell();
  const started = scope.URL.createObjectURL(blob);
  return new scope.Worker(trustedBlob(started), { type: 'module' });
}

async function scriptAt(address: string, before: string): Promise<Blob> {
  const response = await fetch(address);
  if (!response.ok) throw new TypeError(`the server answered ${response.status}`);
  return new Blob([before, await response.text()], { type: 'text/javascript' });
}

async function openCell(): Promise<Window & typeof globalThis> {
  cell ??= newCell();
  try {
    const scope = await cell;
    // Where a page was emptied meanwhile, the frame is gone with its workers.
    if (!scope.closed) return scope;
  } catch (error) {
    cell = undefined;
    throw error;
  }
  cell = newCell();
  return cell;
}

/** Firefox replaces the document of a new frame once, so the policy is added after that. */
function newCell(): Promise<Window & typeof globalThis> {
  return new Promise((resolve, reject) => {
    const frame = document.createElement('iframe');
    frame.hidden = true;
    frame.onload = () => {
      const inside = frame.contentDocument;
      if (inside === null || frame.contentWindow === null) {
        reject(new TypeError('no frame'));
        return;
      }
      const rules = inside.createElement('meta');
      rules.httpEquiv = 'Content-Security-Policy';
      rules.content = POLICY;
      inside.head.append(rules);
      resolve(frame.contentWindow as Window & typeof globalThis);
    };
    document.documentElement.append(frame);
  });
}

/**
 * What a worker in the cell sent, as values of this page: they come as values of the frame, for which `instanceof`
 * says no. Buffers are moved, not copied.
 */
export function adopted<Received>({ data, ports }: MessageEvent<Received>): Received {
  return structuredClone(data, { transfer: [...ports, ...buffersIn(data)] });
}

/** The buffers of a message, each once. */
function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (typeof value !== 'object' || value === null) return found;
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (Object.prototype.toString.call(value) === '[object ArrayBuffer]') {
    found.add(value as ArrayBuffer);
  } else {
    for (const part of Object.values(value)) buffersIn(part, found);
  }
  return found;
}
