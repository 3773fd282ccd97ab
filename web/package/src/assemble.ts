import { componentsOf, type Components } from './components.js';
import { ClipTally } from './clipping.js';
import { loadAnalysis } from './core.js';
import { aboutRelease, PrivateMomentsError } from './errors.js';
import { contentOf, hasValues } from './mechanism.js';
import { Moments, originOf } from './moments.js';
import { specOf } from './plan.js';
import type { ClipRule, Core, Description, RawScale } from './raw.js';
import { guaranteeOf, openRelease, type Release } from './release.js';
import { requireStudy, type Study } from './study.js';
import type { Content } from './types.js';
import { unwrap } from './unwrap.js';

/** A release in any form it travels in. */
export type ReleaseInput = Release | string | Uint8Array | Blob | object;

type Releases = Iterable<ReleaseInput> | AsyncIterable<ReleaseInput>;

/**
 * Sums releases of one study into moments, holding one release at a time. Every release is checked:
 * its digest, its study, that it was not given before, and that its noise and guarantee are those
 * the study implies; nothing about privacy is believed because a file says so.
 *
 * @throws PrivateMomentsError with `release`: its position and, where known, its id. Code
 * `not-moments` where the study's mechanism releases directions.
 */
export async function assemble(study: Study, releases: Releases): Promise<Moments> {
  requireContent(study, 'moments');
  requireIterable(releases);
  const core = await loadAnalysis();
  const implied = describer(core, study);
  const { assembly } = unwrap(core.createAssembly(study.features.length));
  try {
    const scales: (RawScale | null)[] = [];
    const clips = new ClipTally();
    const { count } = await addAll(core, study, implied, releases, (release, description) => {
      const level = release.clipping?.level ?? 0;
      unwrap(assembly.add(Float64Array.from(release.values), level, release.rows));
      while (scales.length <= level) scales.push(null);
      const { radius, constant, noise } = description;
      const { unit, mean, sdDiagonal, sdOffDiagonal } = noise;
      scales[level] = { radius, constant, unit, mean, sdDiagonal, sdOffDiagonal };
      if (release.clipping !== undefined) clips.add(release.clipping, radius);
    });
    const whole = implied(0);
    const sums = unwrap(assembly.sum(scales, whole.constant));
    return Moments.fromSums(core, study, {
      sums: sums.values,
      constant: whole.constant,
      rows: sums.rows,
      bound: sums.meanSquaredRadius,
      noise: {
        distribution: whole.noise.distribution,
        releases: count,
        freedom: whole.freedom,
        diagonal: sums.diagonal,
        offDiagonal: sums.offDiagonal,
        linear: sums.linear,
        count: sums.count,
      },
      clipping: clips.result(whole.clipCountSd),
      guarantee: guaranteeOf(whole),
    });
  } finally {
    assembly.delete();
  }
}

/**
 * Puts together releases that are directions, of a study whose mechanism is
 * `eigenvector-sampling`, `ppca` or `power-method`. Checks them as `assemble` does.
 *
 * One release gives its own directions. Several give the leading directions of the sum of theirs
 * (each weighted by its values or, where it has none, by its rows): no release of the pooled rows,
 * for what lies outside each participant's own directions is lost.
 *
 * @throws PrivateMomentsError as `assemble`; code `not-components` where the study's mechanism
 * releases second moments.
 */
export async function assembleComponents(study: Study, releases: Releases): Promise<Components> {
  requireContent(study, 'components');
  requireIterable(releases);
  const core = await loadAnalysis();
  const implied = describer(core, study);
  const description = implied(0);
  const { unit } = description.noise;
  const { components } = unwrap(
    core.createComponents({
      dimension: study.features.length,
      components: study.mechanism.components ?? 0,
      hasValues: hasValues(study.mechanism),
    }),
  );
  try {
    const { count, rows } = await addAll(core, study, implied, releases, (release) => {
      const added = components.add(Float64Array.from(release.values), unit, release.rows ?? 1);
      if (added.ok) return;
      const message = 'its directions are no directions, or depend on each other';
      throw new PrivateMomentsError('release-unreadable', message, { field: 'values' });
    });
    const result = unwrap(components.result());
    return componentsOf(study, result, {
      rows,
      origin: originOf(core, study, count, description.noise.distribution),
      guarantee: guaranteeOf(description),
    });
  } finally {
    components.delete();
  }
}

function requireContent(study: Study, content: Content): void {
  if (contentOf(requireStudy(study).mechanism) === content) return;
  const { name } = study.mechanism;
  throw content === 'moments'
    ? new PrivateMomentsError(
        'not-moments',
        `${name} releases directions, not moments: use assembleComponents`,
      )
    : new PrivateMomentsError('not-components', `${name} releases moments: use assemble`);
}

/** Checks every release and hands it to `add`. `rows` is null where their number is private. */
async function addAll(
  core: Core,
  study: Study,
  implied: Implied,
  releases: Releases,
  add: (release: Release, description: Description) => void,
): Promise<{ count: number; rows: number | null }> {
  const { rule } = unwrap(core.createClipRule(specOf(study)));
  try {
    return await addEach(study, implied, rule, releases, add);
  } finally {
    rule.delete();
  }
}

async function addEach(
  study: Study,
  implied: Implied,
  rule: ClipRule,
  releases: Releases,
  add: (release: Release, description: Description) => void,
): Promise<{ count: number; rows: number | null }> {
  const seen = new Map<string, number>();
  let version: string | undefined;
  let rows: number | null = study.neighbours === 'replace-one' ? 0 : null;
  let index = 0;
  for await (const input of releases) {
    let id: string | null = null;
    try {
      const release = await openRelease(input instanceof Blob ? await input.text() : input);
      id = release.id;
      requireStudyOf(release, study);
      const description = implied(release.clipping?.level ?? 0);
      requireFitting(release, study, description);
      requireClipping(release, study, description, rule);
      requireNew(release, seen);
      version = requireSameVersion(release, version);
      add(release, description);
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

/** What a release of this study must state, by the level of its clip radius. */
type Implied = (level: number) => Description;

function describer(core: Core, study: Study): Implied {
  const known = new Map<number, Description>();
  return (level) => {
    const description = known.get(level) ?? unwrap(core.describe({ ...specOf(study), level }));
    known.set(level, description);
    return description;
  };
}

function requireStudyOf(release: Release, study: Study): void {
  if (release.study === study.id) return;
  const message = 'it belongs to another study, or to another version of this one';
  throw new PrivateMomentsError('wrong-study', message, { field: 'study' });
}

/** With adaptive clipping the radius must be the one that the release's own counts choose. */
function requireClipping(
  { clipping, rows }: Release,
  study: Study,
  { clipCounts }: Description,
  rule: ClipRule,
): void {
  if (clipping === undefined && study.clipping === 'fixed') return;
  if (study.clipping === 'adaptive' && clipping?.counts.length === clipCounts) {
    const levels = rule.levels(Float64Array.from(clipping.counts), rows);
    if (levels[0] === clipping.level) return;
  }
  const message = 'its clip radius is not the one that the study and its counts imply';
  throw new PrivateMomentsError('wrong-guarantee', message, { field: 'clipping' });
}

/** A release must state what the study implies. */
function requireFitting(release: Release, study: Study, description: Description): void {
  const { mechanism, guarantee, noise, rows, values } = release;
  const honest =
    agree(mechanism, study.mechanism) &&
    agree(guarantee, guaranteeOf(description)) &&
    agree(noise, description.noise);
  if (!honest) {
    const message = `its stated noise or guarantee is not the one the study implies (it was made by ${release.library})`;
    throw new PrivateMomentsError('wrong-guarantee', message, { field: 'guarantee' });
  }
  const countIsPublic = study.neighbours === 'replace-one';
  const rowsFit = countIsPublic ? rows !== null && rows <= description.maxRows : rows === null;
  const countFits = study.unit === 'row' || rows === null || rows === 1;
  if (!rowsFit || !countFits || values.length !== description.length) {
    const message = 'its number of rows or of values does not fit the study';
    throw new PrivateMomentsError('release-unreadable', message, { field: 'rows' });
  }
}

/**
 * Whether two statements have the same content: texts to the letter, numbers but for the last
 * digits, which compilers may differ in. The assumptions in words are not compared; the result
 * takes them from this version.
 */
function agree(stated: unknown, implied: unknown): boolean {
  if (typeof implied === 'number') {
    return typeof stated === 'number' && Math.abs(stated - implied) <= 1e-9 * Math.abs(implied);
  }
  if (typeof implied !== 'object' || typeof stated !== 'object' || !implied || !stated) {
    return stated === implied;
  }
  const keys = Object.keys(implied);
  return (
    Object.keys(stated).length === keys.length &&
    keys.every(
      (key) =>
        key === 'assumes' ||
        agree((stated as Record<string, unknown>)[key], (implied as Record<string, unknown>)[key]),
    )
  );
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
