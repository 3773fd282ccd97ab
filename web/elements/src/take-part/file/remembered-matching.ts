import type { Study } from 'private-moments';
import type { Matching } from '../matching.js';

/** Where a browser keeps how headers were matched. Only positions are stored, and a digest of the header. */
const KEY = 'private-moments/matchings';
/** The oldest are dropped beyond this. */
const MOST = 40;

interface Entry {
  /** SHA-256 of the names in the header, base64. */
  header: string;
  /** For columns of studies, the position of the column in the file, from 0. */
  columns: Record<string, number>;
}

/** How a file with this header was matched by hand before; empty if it was not. */
export async function rememberedMatching(
  study: Study,
  header: readonly string[],
): Promise<Matching> {
  const digest = await digestOf(header);
  const entry = digest === undefined ? undefined : entries().find((each) => each.header === digest);
  if (entry === undefined) return {};
  const matching: Matching = {};
  for (const { name } of study.columns) {
    const at = Object.hasOwn(entry.columns, name) ? entry.columns[name] : undefined;
    const from = at === undefined ? undefined : header[at];
    if (from !== undefined) matching[name] = from;
  }
  return matching;
}

export async function rememberMatching(
  header: readonly string[],
  matching: Matching,
): Promise<void> {
  const digest = await digestOf(header);
  if (digest === undefined) return;
  const earlier = entries();
  const columns = { ...earlier.find((each) => each.header === digest)?.columns };
  for (const [name, from] of Object.entries(matching)) {
    const at = from === undefined ? -1 : header.indexOf(from);
    if (at >= 0) columns[name] = at;
  }
  const others = earlier.filter((each) => each.header !== digest);
  store([{ header: digest, columns }, ...others].slice(0, MOST));
}

export async function forgetMatching(header: readonly string[]): Promise<void> {
  const digest = await digestOf(header);
  store(entries().filter((each) => each.header !== digest));
}

/** What is stored, as far as it is valid: other pages of this origin can write there. */
function entries(): Entry[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Entry {
  const { header, columns } = (value ?? {}) as Partial<Record<keyof Entry, unknown>>;
  return (
    typeof header === 'string' &&
    typeof columns === 'object' &&
    columns !== null &&
    Object.values(columns).every((at) => Number.isSafeInteger(at))
  );
}

/** Does nothing where the browser stores nothing: the next file is then matched by hand again. */
function store(all: readonly Entry[]): void {
  try {
    if (all.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    return;
  }
}

/** Undefined outside secure contexts, where browsers compute no digest. */
async function digestOf(header: readonly string[]): Promise<string | undefined> {
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const digest = await subtle?.digest('SHA-256', text);
  return digest && btoa(String.fromCharCode(...new Uint8Array(digest)));
}
