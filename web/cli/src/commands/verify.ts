import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Study } from 'private-moments';
import { isPackageError, UsageError, type Command } from 'private-moments/internal';
import { strength } from 'private-moments/words';
import { assembleAny } from '../parts/analysis.js';
import { readArguments } from '../../../command/src/arguments.js';
import { cancellable } from '../../../command/src/cancel.js';
import {
  readReleases,
  readStudy,
  requireOneStdin,
  unreadable,
  type ReleaseText,
} from '../../../command/src/input.js';
import { jsonText } from '../parts/json.js';
import { table } from '../../../command/src/table.js';

const help = `private-moments verify: check releases against their study, or a saved page against its hash.

  private-moments verify STUDY RELEASE...
  private-moments verify private-moments.html --sha256 HASH

Of each release it checks the format, the digest, the study, that its noise and guarantee are those that
the study implies, recomputed from the study, and that some rows could have its values. It cannot check
who made a release, or on which data. The hash of a saved page is on the site that offers it; without
--sha256 it is read from private-moments.html.sha256 beside the page.

  --sha256 HASH        the published hash of the page
  --json               for programs

Exit status: 0 if all is well, 3 if something is not.

Example:
  private-moments verify study.json site-01.release.json`;

const options = { sha256: { type: 'string' }, json: { type: 'boolean' } } as const;

/** The exit status where a check refutes what it checked. */
const REFUTED = 3;

interface Verdict {
  file: string;
  ok: boolean;
  code?: string;
  /** What was checked, or what is wrong. */
  about: string;
}

export const verifyCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, ['STUDY', '[RELEASE...]']);
    const [first = '', ...paths] = positionals;
    const isPage = first.endsWith('.html');
    if (isPage && paths.length > 0) throw new UsageError('verify takes one page at a time');
    if (!isPage && paths.length === 0) throw new UsageError('RELEASE is missing');
    if (!isPage && values.sha256 !== undefined) {
      throw new UsageError('--sha256 goes with a saved page, a file that ends in .html');
    }
    requireOneStdin(positionals);
    const verdicts = isPage
      ? [await verdictOnPage(first, values.sha256)]
      : await cancellable((signal) => verdictsOnReleases(first, paths, signal));
    process.stdout.write(values.json ? jsonText(verdicts) : inWords(verdicts));
    return verdicts.every(({ ok }) => ok) ? 0 : REFUTED;
  },
};

function inWords(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ file, ok, about }) => [ok ? 'ok' : 'NOT OK', file, about]);
  return `${table(['', 'file', ''], rows)}\n`;
}

async function verdictsOnReleases(
  studyPath: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Verdict[]> {
  const study = await readStudy(studyPath, signal);
  const releases = await readReleases(paths, signal);
  const verdicts: Verdict[] = [];
  const seen = new Map<string, string>();
  for (const release of releases) {
    const verdict = await verdictOn(study, release);
    const id = verdict.ok ? (JSON.parse(release.text) as { id: string }).id : undefined;
    const twin = id === undefined ? undefined : seen.get(id);
    if (id !== undefined) seen.set(id, release.name);
    verdicts.push(
      twin === undefined
        ? verdict
        : {
            ...verdict,
            ok: false,
            code: 'duplicate-release',
            about: `duplicate-release: the same release as ${twin}`,
          },
    );
  }
  return verdicts;
}

/** Each release by itself, so that one that fails does not hide the others. */
async function verdictOn(study: Study, release: ReleaseText): Promise<Verdict> {
  const { name: file } = release;
  try {
    const { moments, components } = await assembleAny(study, [release]);
    const guarantee = moments?.guarantee ?? components?.guarantee;
    const about = guarantee
      ? `digest, study, noise; guarantee recomputed: ${strength(guarantee)}`
      : '';
    return { file, ok: true, about };
  } catch (error) {
    if (!isPackageError(error)) throw error;
    // There is one release, so its number says nothing.
    const about = error.message.replace(/^release 1(?: \([0-9a-f]+\))?: /, '');
    return { file, ok: false, code: error.code, about: `${error.code}: ${about}` };
  }
}

async function verdictOnPage(path: string, stated: string | undefined): Promise<Verdict> {
  const actual = await hashOf(path);
  const expected = (stated ?? (await publishedBeside(path)))?.trim().toLowerCase();
  if (expected === undefined) {
    throw new UsageError(
      `its SHA-256 is ${actual}: pass the published one with --sha256, to compare`,
    );
  }
  if (!/^[0-9a-f]{64}$/.test(expected)) throw new UsageError('--sha256 must be 64 hex digits');
  return expected === actual
    ? { file: path, ok: true, about: `SHA-256 ${actual}` }
    : {
        file: path,
        ok: false,
        code: 'hash-mismatch',
        about: `hash-mismatch: its SHA-256 is ${actual}, not ${expected}; download it again, and open no other`,
      };
}

/** The hash in the file that `make site` writes beside the page. */
async function publishedBeside(path: string): Promise<string | undefined> {
  const text = await readFile(`${path}.sha256`, 'utf8').catch(() => undefined);
  return text
    ?.split('\n')
    .find((line) => line.includes(basename(path)))
    ?.split(/\s/, 1)[0];
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes as Uint8Array);
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return hash.digest('hex');
}
