import { loadCore } from './core.js';
import { aboutRelease, PrivateMomentsError } from './errors.js';
import { Moments } from './moments.js';
import { specOf } from './plan.js';
import type { Assembly, Core, Description } from './raw.js';
import { guaranteeOf, parseRelease, Release } from './release.js';
import { requireStudy, type Study } from './study.js';
import { unwrap } from './unwrap.js';

/** A release in any form it travels in. */
export type ReleaseInput = Release | string | Uint8Array | Blob | object;

/**
 * Sums releases of one study into moments, holding one release at a time. Every release is checked:
 * its digest, its study, that it was not given before, and that its noise and guarantee are those
 * the study implies; nothing about privacy is believed because a file says so.
 *
 * @throws PrivateMomentsError with `release`: its position and, where known, its id.
 */
export async function assemble(
  study: Study,
  releases: Iterable<ReleaseInput> | AsyncIterable<ReleaseInput>,
): Promise<Moments> {
  requireStudy(study);
  requireIterable(releases);
  const core = await loadCore();
  const description = unwrap(core.describe(specOf(study)));
  const { assembly } = unwrap(core.createAssembly(study.features.length));
  try {
    const { count, rows } = await addAll(assembly, study, description, releases);
    return toMoments(core, study, description, assembly, count, rows);
  } finally {
    assembly.delete();
  }
}

async function addAll(
  assembly: Assembly,
  study: Study,
  description: Description,
  releases: Iterable<ReleaseInput> | AsyncIterable<ReleaseInput>,
): Promise<{ count: number; rows: number | null }> {
  const requireFitting = fitting(study, description);
  const seen = new Map<string, number>();
  let version: string | undefined;
  let rows: number | null = study.neighbours === 'replace-one' ? 0 : null;
  let index = 0;
  for await (const input of releases) {
    let id: string | null = null;
    try {
      const release = parseRelease(input instanceof Blob ? await input.text() : input);
      id = release.id;
      requireFitting(release);
      requireNew(release, seen);
      version = requireSameVersion(release, version);
      unwrap(assembly.add(Float64Array.from(release.values)));
      seen.set(id, index);
      if (rows !== null) rows += release.rows ?? 0;
    } catch (error) {
      throw aboutRelease(error, { index, id });
    }
    index += 1;
  }
  if (index === 0) {
    throw new PrivateMomentsError('no-releases', 'there are no releases to assemble');
  }
  return { count: index, rows };
}

function toMoments(
  core: Core,
  study: Study,
  description: Description,
  assembly: Assembly,
  count: number,
  rows: number | null,
): Moments {
  const { noise } = description;
  const { values } = unwrap(assembly.sum(noise.unit));
  // Independent noises add by their variances.
  const growth = Math.sqrt(count);
  return Moments.fromSums(core, study, {
    sums: values,
    constant: description.constant,
    rows,
    releases: count,
    sdDiagonal: noise.sdDiagonal * growth,
    sdOffDiagonal: noise.sdOffDiagonal * growth,
    guarantee: guaranteeOf(description),
  });
}

/** A release must state what the study implies. */
function fitting(study: Study, description: Description): (release: Release) => void {
  const dimension = study.features.length;
  const length = ((dimension + 1) * (dimension + 2)) / 2;
  const expected = guaranteeOf(description);
  return (release) => {
    if (release.study !== study.id) {
      const message = 'it belongs to another study, or to another version of this one';
      throw new PrivateMomentsError('wrong-study', message, { field: 'study' });
    }
    const { mechanism, guarantee, noise, rows, values } = release;
    const honest =
      agree(mechanism, study.mechanism) &&
      agree(guarantee, expected) &&
      agree(noise, description.noise);
    if (!honest) {
      const message = `its stated noise or guarantee is not the one the study implies (it was made by ${release.library})`;
      throw new PrivateMomentsError('wrong-guarantee', message, { field: 'guarantee' });
    }
    const countIsPublic = study.neighbours === 'replace-one';
    const rowsFit = countIsPublic ? rows !== null && rows <= description.maxRows : rows === null;
    const countFits = study.unit === 'row' || rows === null || rows === 1;
    if (!rowsFit || !countFits || values.length !== length) {
      const message = 'its number of rows or of values does not fit the study';
      throw new PrivateMomentsError('release-unreadable', message, { field: 'rows' });
    }
  };
}

/**
 * Whether two statements have the same content: texts to the letter, numbers but for the last
 * digits, which compilers may differ in. Lists, the assumptions in words, are not compared; the
 * result takes them from this version.
 */
function agree(stated: object, implied: object): boolean {
  return Object.entries(implied).every(([key, value]: [string, unknown]) => {
    const other = (stated as Record<string, unknown>)[key];
    if (typeof value !== 'number') return Array.isArray(value) || other === value;
    return typeof other === 'number' && Math.abs(other - value) <= 1e-9 * Math.abs(value);
  });
}

function requireNew(release: Release, seen: ReadonlyMap<string, number>): void {
  const first = seen.get(release.id);
  if (first === undefined) return;
  const message = `it is the same as release ${first + 1} and would be counted twice`;
  throw new PrivateMomentsError('duplicate-release', message, { field: 'id' });
}

/** Versions that differ in more than the last number may encode rows differently. */
function requireSameVersion(release: Release, version: string | undefined): string {
  const own = /^private-moments\/(\d+\.\d+)\.\d+/.exec(release.library)?.[1] ?? release.library;
  if (version === undefined || version === own) return own;
  const message = `it was made by ${release.library}, and those before it by version ${version}`;
  throw new PrivateMomentsError('mixed-versions', message, { field: 'library' });
}

function requireIterable(releases: unknown): void {
  const isObject = typeof releases === 'object' && releases !== null;
  if (isObject && (Symbol.iterator in releases || Symbol.asyncIterator in releases)) return;
  throw new PrivateMomentsError('no-releases', 'assemble takes a list or stream of releases');
}
