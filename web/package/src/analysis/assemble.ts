import { componentsOf, type Components } from './components.js';
import { ClipTally, shortenedRows, type MomentsClipping } from '../study/clipping.js';
import { requireOptions } from '../base/check.js';
import { frameOf } from '../study/coordinates.js';
import { loadAnalysis } from '../core/analysis-core.js';
import { pickGuarantee, parseIfText } from '../study/envelope.js';
import { withRelease, PrivateMomentsError } from '../base/errors.js';
import { minSummed } from '../study/federation-terms.js';
import { contentOf, hasValues } from '../study/mechanism.js';
import { columnsOfFeatures, Moments, originOf, statedFrame } from './moments.js';
import { rawColumns, specOf } from '../core/plan.js';
import { requirePlausible } from './plausible.js';
import type {
  CentredAssembly,
  ClipRule,
  Core,
  Description,
  RawCentredScale,
  RawCountedGaps,
  RawFailure,
  RawNoise,
  RawScale,
} from '../core/raw.js';
import type { RawClippedRows, RawSums } from '../generated/raw.js';
import { openRelease, type Release } from '../release/release.js';
import { requireStudy, type Study } from '../study/study.js';
import { isSum, parseSum, summandsLength, type Sum, type SumGroup } from '../release/sum.js';
import type { CentringChoice, Content } from '../study/types.js';
import { releasedFeatures } from '../study/features.js';
import { countsGaps, usesPartialRows } from '../study/gaps.js';
import { unwrap } from '../core/unwrap.js';
import { splitWhole } from '../base/whole.js';

/** A release or a sum of releases: the object, its parsed JSON, its text, its bytes, or a Blob. */
export type ReleaseInput = Release | Sum | string | Uint8Array | Blob | object;

export interface AssembleOptions {
  /**
   * `pooled` (default): all rows are taken as one sample. `within`: each site's rows are taken about that
   * site's own mean, as after adjusting for an indicator of each site, so that no analysis counts differences
   * between sites (another scanner, another protocol) as correlation. Needs single releases of two rows or
   * more each, not a sum of them. Costs no privacy.
   */
  sites?: 'pooled' | 'within';
}

type Releases = Iterable<ReleaseInput> | AsyncIterable<ReleaseInput>;

/**
 * Sums releases of one study into moments, with one release in memory at a time. Every release is checked:
 * its digest, its study, that it is not a duplicate, that its noise and guarantee are those that the study
 * implies, and that some rows could have its values. No statement of a file about privacy is trusted.
 *
 * In place of releases it takes one sum of releases (`private-moments/sum@1`), from a session of a study
 * with masks or from a database. A sum must be the only input.
 *
 * @throws PrivateMomentsError with `release`: its index and, if readable, its id. Codes include
 * `not-moments` if the study's mechanism releases directions, `not-a-sum` for a single release of a study
 * that sums behind masks, and `too-few-releases` if a sum has fewer releases than the study requires; with
 * `sites: 'within'` `no-rows` for a release with too few rows for a mean of its own, and `unsupported-data`
 * for a sum, in which sites have no means.
 *
 * @example
 * ```ts
 * const moments = await assemble(study, releases);
 * const { correlations } = moments.cca({ level: 0.95 });
 * ```
 */
export async function assemble(
  study: Study,
  releases: Releases,
  options: AssembleOptions = {},
): Promise<Moments> {
  requireContent(study, 'moments');
  requireIterable(releases);
  const { sites } = checkAssembleOptions(options);
  const core = await loadAnalysis();
  if (sites === 'within') return assembleWithin(core, study, releases);
  if (study.clipping === 'centred') return assembleCentred(core, study, releases);
  const implied = describer(core, study);
  const { assembly } = unwrap(core.createAssembly(releasedFeatures(study)));
  try {
    const scales: (RawScale | null)[] = [];
    const clips = new ClipTally();
    let lost = 0;
    const scale = (level: number, description: Description): void => {
      while (scales.length <= level) scales.push(null);
      scales[level] = scaleOf(description);
    };
    const { count } = await addAll(core, study, implied, releases, {
      release: (release, description, rule) => {
        const level = release.clipping?.level ?? 0;
        unwrap(assembly.add(Float64Array.from(release.values), level, release.rows));
        scale(level, description);
        if (release.clipping === undefined) return;
        clips.add(release.clipping, description.radius);
        lost += rule.lost(0, Float64Array.from(release.clipping.counts), level, 1);
      },
      sum: (sum, rule) => {
        for (const { level, releases, rows, counts, values } of sum.groups) {
          const { high, low } = splitWhole(values);
          unwrap(assembly.addSum(high, low, level, releases, rows));
          scale(level, implied(level));
          if (counts === undefined) continue;
          const count = Number(counts[level - 1] ?? 0);
          clips.addSum(level, count, releases, implied(level).radius);
          lost += rule.lost(0, Float64Array.from(counts, Number), level, releases);
        }
      },
    });
    const whole = implied(0);
    const sums = unwrap(assembly.sum(scales, whole.constant));
    return Moments.fromSums(core, study, {
      ...statedFrame(study),
      sums: sums.values,
      constant: whole.constant,
      rows: sums.rows,
      bound: sums.meanSquaredRadius,
      noise: noiseOfSums(sums, whole, count),
      clipping: clips.result(whole.clipCountSd),
      traceLost: (lost * study.rowNorm ** 2) / rowsIn(sums, whole.constant),
      guarantee: pickGuarantee(whole, study.federation),
    });
  } finally {
    assembly.delete();
  }
}

function checkAssembleOptions(options: AssembleOptions): Required<AssembleOptions> {
  requireOptions(options, ['sites']);
  const { sites = 'pooled' } = options;
  if (['pooled', 'within'].includes(sites)) return { sites };
  const message = "sites must be 'pooled' or 'within'";
  throw new PrivateMomentsError('unsupported-option', message, { field: 'sites' });
}

/** Sums releases whose rows are about the mean of their own site. */
async function assembleWithin(core: Core, study: Study, releases: Releases): Promise<Moments> {
  const implied = describer(core, study);
  const whole = implied(0);
  const size = study.features.length;
  const { centre = new Float64Array(size), units: scale = new Float64Array(size).fill(1) } =
    frameOf(study) ?? {};
  if (usesPartialRows(study.missing)) {
    const message = `the effects of sites cannot be taken out of a study with missing ${study.missing}: leave out sites: 'within'`;
    throw new PrivateMomentsError('unsupported-option', message, { field: 'sites' });
  }
  const { sites } = unwrap(core.createWithinSites(size));
  const clips = new ClipTally();
  let [lost, shortened, counted] = [0, 0, 0];
  try {
    const { count } = await addAll(core, study, implied, releases, {
      release: ({ clipping, centring, rows, values }, description, rule) => {
        const own =
          centring === undefined
            ? { centre, scale }
            : {
                centre: Float64Array.from(centring.centre),
                scale: Float64Array.from(centring.scale),
              };
        unwrap(sites.add(Float64Array.from(values), { ...scaleOf(description), ...own }, rows));
        if (clipping === undefined) return;
        const counts = Float64Array.from(clipping.counts);
        const { level } = clipping;
        if (centring === undefined) {
          clips.add(clipping, description.radius);
          lost += study.rowNorm ** 2 * rule.lost(0, counts, level, 1);
        } else {
          shortened += shortenedRows(clipping);
          counted += level;
          const { levels, radius, scale } = centring;
          const unit = scale.reduce((sum, each) => sum + each ** 2, 0) / scale.length;
          lost += unit * radius ** 2 * rule.lost(levels, counts, level, 1);
        }
      },
      sum: () => {
        const message =
          "the effects of sites cannot be taken out of a sum, which does not have the sites' means: pass the releases, or leave out sites: 'within'";
        throw new PrivateMomentsError('unsupported-data', message, { field: 'sites' });
      },
    });
    const sums = unwrap(sites.sum());
    return Moments.fromSums(core, study, {
      sums: sums.values,
      constant: 1,
      rows: sums.rows,
      sites: 'within',
      bound: sums.meanSquaredRadius,
      frame: { centre: sums.centre, units: sums.units, noiseCentres: sums.noiseCentres },
      noise: noiseOfSums(sums, whole, count),
      clipping:
        study.clipping === 'centred'
          ? centredClipping(shortened, counted, whole)
          : clips.result(whole.clipCountSd),
      traceLost: lost / rowsIn(sums, 1),
      guarantee: pickGuarantee(whole, study.federation),
    });
  } finally {
    sites.delete();
  }
}

/** @param counts number of noisy counts in `shortened` */
function centredClipping(
  shortened: number,
  counts: number,
  { clipCountSd }: Description,
): MomentsClipping {
  return {
    shortened: Math.max(0, shortened),
    sd: clipCountSd * Math.sqrt(counts),
    radii: [],
  };
}

function scaleOf({ radius, constant, noise }: Description): RawScale {
  const { unit, mean, sdDiagonal, sdOffDiagonal } = noise;
  return { radius, constant, unit, mean, sdDiagonal, sdOffDiagonal };
}

function noiseOfSums(
  { diagonal, offDiagonal, linear, count }: RawSums,
  { noise, freedom }: Description,
  releases: number,
): RawNoise {
  const { distribution } = noise;
  return { distribution, releases, freedom, diagonal, offDiagonal, linear, count };
}

/** The number of rows, or its estimate, at least 1. */
function rowsIn({ rows, values }: RawSums, constant: number): number {
  return Math.max(1, rows ?? (values[0] ?? 0) / constant ** 2);
}

/** Sums releases with private centring, each in coordinates of its own. */
async function assembleCentred(core: Core, study: Study, releases: Releases): Promise<Moments> {
  const implied = describer(core, study);
  const whole = implied(0);
  const { assembly } = unwrap(
    core.createCentredAssembly(study.features.length, whole.noise.sdOffDiagonal),
  );
  try {
    const gaps = countsGaps(study.missing) ? new CountedGaps(study) : null;
    const { count } = await addAll(core, study, implied, releases, {
      release: (release, description, rule) => {
        const own = centredOf(release, description, rule);
        if (gaps === null) addCentred(assembly, own);
        else gaps.hold(own, rule);
      },
      sum: (sum) => {
        if (gaps !== null) refuseSummands();
        for (const { releases, rows, reach, values } of sum.groups) {
          const { high, low } = splitWhole(values);
          const widest = Float64Array.from(reach ?? []);
          const added = assembly.addSum(high, low, widest, releases, rows);
          if (added.ok) continue;
          const message = `no releases have these sums: ${added.message}`;
          throw new PrivateMomentsError('release-unreadable', message, { field: 'groups' });
        }
      },
    });
    const counted = gaps?.addAll(core, assembly);
    const sums = unwrap(assembly.sum());
    const { shortened, counts, lost } = sums.clipped;
    return Moments.fromSums(core, study, {
      sums: sums.values,
      constant: 1,
      rows: sums.rows,
      bound: sums.meanSquaredRadius,
      frame: { centre: sums.centre, units: sums.units, noiseCentres: sums.noiseCentres },
      noise: noiseOfSums(sums, whole, count),
      clipping: centredClipping(shortened, counts, whole),
      traceLost: lost / rowsIn(sums, 1),
      centreSpread: sums.centreSpread,
      ...(counted && { counted }),
      guarantee: pickGuarantee(whole, study.federation),
    });
  } finally {
    assembly.delete();
  }
}

/** A checked release with private centring, as an assembly takes it. */
interface CentredInput {
  release: Release;
  survey: Float64Array;
  scale: RawCentredScale;
  clipped: RawClippedRows & { countSd: number };
}

function centredOf(release: Release, description: Description, rule: ClipRule): CentredInput {
  const { clipping, centring } = release;
  if (clipping === undefined || centring === undefined) {
    throw new Error('a checked release with private centring has its choices');
  }
  const scale = {
    ...scaleOf(description),
    centre: Float64Array.from(centring.centre),
    scale: Float64Array.from(centring.scale),
  };
  const { level, counts } = clipping;
  const clipped = {
    shortened: shortenedRows(clipping),
    counts: level,
    lost: centring.radius ** 2 * rule.lost(centring.levels, Float64Array.from(counts), level, 1),
    countSd: description.clipCountSd,
  };
  return { release, survey: Float64Array.from(centring.survey), scale, clipped };
}

function addCentred(
  assembly: CentredAssembly,
  { release: { values, rows }, scale, clipped }: CentredInput,
): void {
  unwrap(assembly.add(Float64Array.from(values), scale, rows, clipped));
}

function refuseSummands(): never {
  const message =
    'a sum does not have what the releases of a study with missing mean count: pass the releases';
  throw new PrivateMomentsError('unsupported-data', message, { field: 'missing' });
}

/** Steps of one row in the counts of a survey. */
const SURVEY_STEPS = 2 ** 16;

/**
 * Releases whose surveys count missing cells. They are kept until all have come: how far the shares of one release
 * are believed depends on the others.
 */
class CountedGaps {
  readonly #study: Study;
  readonly #held: CentredInput[] = [];
  readonly #cells: number[] = [];
  readonly #rows: number[] = [];
  readonly #sds: number[] = [];

  constructor(study: Study) {
    this.#study = study;
  }

  hold(input: CentredInput, rule: ClipRule): void {
    const { cells, sd } = unwrap(rule.gaps(input.survey));
    this.#held.push(input);
    this.#cells.push(...cells);
    this.#rows.push(Math.max(1, input.release.rows ?? (input.survey[0] ?? 0) / SURVEY_STEPS));
    this.#sds.push(sd);
  }

  /** Adds the releases, each with the shares of its rows that have each column. */
  addAll(core: Core, assembly: CentredAssembly): RawCountedGaps {
    const counted = {
      cells: Float64Array.from(this.#cells),
      rows: Float64Array.from(this.#rows),
      sds: Float64Array.from(this.#sds),
    };
    const shares = core.presentShares(counted);
    if (!shares.ok) this.#refuse(shares);
    const columns = columnsOfFeatures(this.#study);
    const width = this.#study.columns.length;
    for (const [index, input] of this.#held.entries()) {
      const present = Float64Array.from(
        columns,
        (column) => shares.shares[index * width + column] ?? 1,
      );
      addCentred(assembly, { ...input, scale: { ...input.scale, present, columns } });
    }
    return counted;
  }

  #refuse({ code, message, row = 0, column = 0 }: RawFailure): never {
    if (code !== 'no-rows') throw new Error(message);
    const name = this.#study.columns[column]?.name ?? '';
    const words = `too few of its rows have the column "${name}" to correct for the others: leave it out, or use missing pairwise in a new study`;
    throw withRelease(new PrivateMomentsError('too-few-rows', words, { field: 'missing' }), {
      index: row,
      id: this.#held[row]?.release.id ?? null,
    });
  }
}

/**
 * Combines releases of directions, from a study whose mechanism releases directions. Checks them like
 * `assemble`.
 *
 * One release gives its own directions. Several give the leading directions of their sum, each direction
 * weighted by its value or, if it has none, by the release's rows. This is less than a release of the
 * pooled rows: whatever lies outside each participant's own directions is lost.
 *
 * @throws PrivateMomentsError as `assemble`; `not-components` if the study's mechanism releases second
 * moments.
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
    const { count, rows } = await addAll(core, study, implied, releases, {
      release: (release) => {
        const added = components.add(Float64Array.from(release.values), unit, release.rows ?? 1);
        if (added.ok) return;
        const message = 'its directions are zero or linearly dependent';
        throw new PrivateMomentsError('release-unreadable', message, { field: 'values' });
      },
    });
    const result = unwrap(components.result());
    return componentsOf(study, result, {
      rows,
      origin: originOf(core, study, count, description.noise.distribution),
      guarantee: pickGuarantee(description),
    });
  } finally {
    components.delete();
  }
}

/**
 * Yields releases of second moments one at a time, each checked like in `assemble`, alone and against those
 * before it. For programs that store releases in another form and sum them later. Memory holds the ids of
 * earlier releases only.
 *
 * @throws PrivateMomentsError as `assemble`; `release-unreadable` for a sum of releases.
 */
export async function* checkReleases(
  study: Study,
  releases: Releases,
): AsyncGenerator<Release, void, undefined> {
  requireContent(study, 'moments');
  requireIterable(releases);
  const core = await loadAnalysis();
  const { rule } = unwrap(core.createClipRule(specOf(study)));
  try {
    const check = releaseCheck(study, describer(core, study), rule);
    let index = 0;
    for await (const input of releases) {
      let release: Release | undefined;
      try {
        release = await openRelease(input instanceof Blob ? await input.text() : input);
        check(release, index);
      } catch (error) {
        throw withRelease(error, { index, id: release?.id ?? null });
      }
      yield release;
      index += 1;
    }
  } finally {
    rule.delete();
  }
}

/** What a release with private centring adds to sums that a database makes. */
export interface Summands {
  /**
   * Words of 64 bits, two for each number: its lowest 40 bits, then what is above them, modulo 2^64.
   * The words of several releases simply add up.
   */
  words: BigUint64Array;
  /** For each feature the longest row of the release along it, in units of 2^-44; of several releases the greatest counts. */
  reach: number[];
}

/** Turns releases with private centring into numbers that add up. */
export interface SummandsOf {
  /** @param release one that `checkReleases` has passed */
  of(release: Release): Summands;
  delete(): void;
}

/** Bits in the first of the two words of each number of `Summands`. */
export const SUMMAND_BITS = 40;

/**
 * The numbers in which `assemble` adds up releases with private centring. Each release is in coordinates of
 * its own, so its values cannot be added to those of others; these can, exactly and in any order. Their sums
 * are the `values` of a group of `createSum`.
 * @throws PrivateMomentsError `invalid-clipping` if the study has no private centring;
 * `unsupported-data` if its rule for missing cells is `mean`, which needs the releases
 */
export async function createSummands(study: Study): Promise<SummandsOf> {
  if (requireStudy(study).clipping !== 'centred') {
    const message = 'only releases with private centring are not summed as they are';
    throw new PrivateMomentsError('invalid-clipping', message, { field: 'clipping' });
  }
  if (countsGaps(study.missing)) refuseSummands();
  const core = await loadAnalysis();
  const implied = describer(core, study);
  const { sdOffDiagonal } = implied(0).noise;
  const { rule } = unwrap(core.createClipRule(specOf(study)));
  return {
    of(release) {
      requireStudyOf(release, study);
      const { assembly } = unwrap(core.createCentredAssembly(study.features.length, sdOffDiagonal));
      try {
        const level = release.clipping?.level ?? 0;
        addCentred(assembly, centredOf(release, implied(level, release.centring), rule));
        const { words, reach } = unwrap(assembly.summands());
        return { words: new BigUint64Array(words.slice().buffer), reach: [...reach] };
      } finally {
        assembly.delete();
      }
    },
    delete: () => {
      rule.delete();
    },
  };
}

function requireContent(study: Study, content: Content): void {
  if (contentOf(requireStudy(study).mechanism) === content) return;
  const { name } = study.mechanism;
  throw content === 'moments'
    ? new PrivateMomentsError(
        'not-moments',
        `mechanism ${name} releases directions and not moments: use assembleComponents`,
      )
    : new PrivateMomentsError('not-components', `mechanism ${name} releases moments: use assemble`);
}

/** Receives releases, and sums if they are allowed, after their checks, with the rule that checked them. */
interface Add {
  release: (release: Release, description: Description, rule: ClipRule) => void;
  sum?: (sum: Sum, rule: ClipRule) => void;
}

/** Checks every release and passes it to `add`. `rows` is null if their number is private. */
async function addAll(
  core: Core,
  study: Study,
  implied: Implied,
  releases: Releases,
  add: Add,
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
  add: Add,
): Promise<{ count: number; rows: number | null }> {
  const check = releaseCheck(study, implied, rule);
  let rows: number | null = study.neighbours === 'replace-one' ? 0 : null;
  let index = 0;
  let count = 0;
  let hasSum = false;
  for await (const input of releases) {
    let id: string | null = null;
    try {
      const json = parseIfText(input instanceof Blob ? await input.text() : input);
      if (add.sum !== undefined && isSum(json)) {
        const sum = parseSum(json as object);
        id = sum.id;
        requireAlone(index);
        requireStudyOf(sum, study);
        requireFittingSum(sum, study, implied);
        if (study.clipping !== 'centred') requirePlausibleSum(sum, implied);
        add.sum(sum, rule);
        hasSum = true;
        count = sum.releases;
        rows = rows === null ? null : rowsOf(sum);
        index += 1;
        continue;
      }
      const release = await openRelease(json as object);
      id = release.id;
      requireAlone(hasSum ? 1 : 0);
      add.release(release, check(release, index), rule);
      count += 1;
      if (rows !== null) rows += release.rows ?? 0;
    } catch (error) {
      throw withRelease(error, { index, id });
    }
    index += 1;
  }
  if (index === 0) {
    throw new PrivateMomentsError('no-releases', 'releases is empty: there is nothing to assemble');
  }
  return { count, rows };
}

function requirePlausibleSum({ groups }: Sum, implied: Implied): void {
  for (const group of groups) {
    requirePlausible({ ...group, values: group.values.map(Number) }, implied(group.level));
  }
}

/** The check of a release, alone and against those before it. It returns what the release must state. */
function releaseCheck(
  study: Study,
  implied: Implied,
  rule: ClipRule,
): (release: Release, index: number) => Description {
  const seen = new Map<string, number>();
  let version: string | undefined;
  return (release, index) => {
    requireUnmasked(study);
    requireStudyOf(release, study);
    requireCoordinates(release, study, rule);
    const description = implied(release.clipping?.level ?? 0, release.centring);
    requireFitting(release, study, description);
    requireClipping(release, study, description, rule);
    const { values, rows } = release;
    requirePlausible({ values, rows, releases: 1 }, description);
    requireNew(release, seen);
    version = requireSameVersion(release, version);
    seen.set(release.id, index);
    return description;
  };
}

/**
 * The description of a release of this study, by the level of its clip radius and, with private centring,
 * its coordinates.
 */
type Implied = (level: number, centring?: CentringChoice) => Description;

function describer(core: Core, study: Study): Implied {
  const cache = new Map<number, Description>();
  return (level, centring) => {
    if (centring !== undefined) {
      const coordinates = {
        ...centring,
        centre: Float64Array.from(centring.centre),
        scale: Float64Array.from(centring.scale),
      };
      return unwrap(core.describe({ ...specOf(study), level, coordinates }));
    }
    const description = cache.get(level) ?? unwrap(core.describe({ ...specOf(study), level }));
    cache.set(level, description);
    return description;
  };
}

function requireStudyOf(release: Release | Sum, study: Study): void {
  if (release.study === study.id) return;
  const message = 'it belongs to another study or to another version of this study';
  throw new PrivateMomentsError('wrong-study', message, { field: 'study' });
}

/** With private centring, the coordinates must be those that the release's own survey determines. */
function requireCoordinates({ centring, rows }: Release, study: Study, rule: ClipRule): void {
  if (centring === undefined && study.clipping !== 'centred') return;
  if (centring !== undefined && study.clipping === 'centred') {
    const survey = Float64Array.from(centring.survey);
    const chosen = unwrap(rule.coordinates(rawColumns(study.columns), survey, rows));
    const { centre, scale, radius, levels } = centring;
    const isChosen =
      agree(centre, [...chosen.centre]) &&
      agree(scale, [...chosen.scale]) &&
      agree({ radius, levels }, { radius: chosen.radius, levels: chosen.levels });
    // The count in the survey is the public number of rows, if that is public.
    const countFits = rows === null || centring.survey[0] === rows * SURVEY_STEPS;
    if (countFits && isChosen) return;
  }
  const message =
    'its centre, scale or radius is not the one that its survey implies under this study';
  throw new PrivateMomentsError('wrong-guarantee', message, { field: 'centring' });
}

/** With adaptive clipping, the radius must be the one that the release's own counts select. */
function requireClipping(
  { clipping, centring, rows }: Release,
  study: Study,
  { clipCounts }: Description,
  rule: ClipRule,
): void {
  if (clipping === undefined && study.clipping === 'fixed') return;
  if (centring !== undefined && clipping !== undefined) {
    const { level, counts } = clipping;
    if (rule.rung(centring.levels, Float64Array.from(counts)) === level) return;
  }
  if (study.clipping === 'adaptive' && clipping?.counts.length === clipCounts) {
    const levels = rule.levels(Float64Array.from(clipping.counts), rows);
    if (levels[0] === clipping.level) return;
  }
  const message = 'its clip radius is not the one that its counts imply under this study';
  throw new PrivateMomentsError('wrong-guarantee', message, { field: 'clipping' });
}

/** Requires that the release states what the study implies. */
function requireFitting(release: Release, study: Study, description: Description): void {
  const { mechanism, guarantee, noise, rows, values } = release;
  const isAsImplied =
    agree(mechanism, study.mechanism) &&
    agree(guarantee, pickGuarantee(description)) &&
    agree(noise, description.noise);
  if (!isAsImplied) {
    const message = `its stated noise or guarantee is not the one the study implies (it was made by ${release.library})`;
    throw new PrivateMomentsError('wrong-guarantee', message, { field: 'guarantee' });
  }
  const countIsPublic = study.neighbours === 'replace-one';
  const rowsFit = countIsPublic ? rows !== null && rows <= description.maxRows : rows === null;
  const countFits = study.unit === 'row' || rows === null || rows === 1;
  if (!rowsFit || !countFits || values.length !== description.length) {
    const message = 'its number of rows or values does not match the study';
    throw new PrivateMomentsError('release-unreadable', message, { field: 'rows' });
  }
}

/** Requires that a sum states what the study implies, with possible numbers of releases, rows and values. */
function requireFittingSum(sum: Sum, study: Study, implied: Implied): void {
  const { federation } = study;
  const whole = implied(0);
  const isAsImplied =
    sum.mode === federation.mode &&
    agree(sum.mechanism, study.mechanism) &&
    agree(sum.guarantee, pickGuarantee(whole, study.federation)) &&
    agree(sum.noise, whole.noise);
  if (!isAsImplied) {
    const message = `its stated noise or guarantee is not the one the study implies (it was made by ${sum.library})`;
    throw new PrivateMomentsError('wrong-guarantee', message, { field: 'guarantee' });
  }
  if (!sum.groups.every((group) => fits(group, study, implied(group.level)))) {
    const message = 'its numbers of releases, rows or values do not match the study';
    throw new PrivateMomentsError('release-unreadable', message, { field: 'groups' });
  }
  if (federation.mode === 'independent') return;
  const { releases } = sum;
  if (releases > federation.sites || sum.session === null) {
    const message = 'it is not the sum of a session of this study';
    throw new PrivateMomentsError('release-unreadable', message, { field: 'groups' });
  }
  const min = minSummed(federation);
  if (releases < min) {
    const message = `it is a sum of ${releases} releases, and the guarantee needs at least ${min}`;
    throw new PrivateMomentsError('too-few-releases', message, { field: 'groups' });
  }
}

function fits(group: SumGroup, study: Study, description: Description): boolean {
  const { level, releases, rows, counts, reach, values } = group;
  const isPublic = study.neighbours === 'replace-one';
  const rowsFit = isPublic
    ? rows !== null &&
      (study.unit === 'row'
        ? rows >= releases && rows <= releases * description.maxRows
        : rows === releases)
    : rows === null;
  const countsFit =
    study.clipping === 'adaptive'
      ? counts?.length === description.clipCounts
      : counts === undefined && level === 0;
  const features = study.features.length;
  const isCentred = study.clipping === 'centred';
  const length = isCentred ? summandsLength(features) : description.length;
  const reachFits = isCentred ? reach?.length === features : reach === undefined;
  return rowsFit && countsFit && reachFits && values.length === length;
}

function rowsOf(sum: Sum): number {
  return sum.groups.reduce((all, { rows }) => all + (rows ?? 0), 0);
}

function requireAlone(before: number): void {
  if (before === 0) return;
  const message = 'a sum must be the only input, because the other releases may be in it already';
  throw new PrivateMomentsError('sum-not-alone', message);
}

function requireUnmasked({ federation }: Study): void {
  if (federation.mode === 'independent') return;
  const message = `this study sums its releases behind masks (${federation.mode}): assemble takes the sum from a session`;
  throw new PrivateMomentsError('not-a-sum', message, { field: 'format' });
}

/**
 * Whether two statements agree: texts exactly, numbers up to a relative 1e-9, because compilers may differ
 * in the last digits. The assumptions in words are not compared; the result states those of this version.
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
  const message = `it is identical to release ${first + 1} and would count twice; remove one`;
  throw new PrivateMomentsError('duplicate-release', message, { field: 'id' });
}

/** Versions that differ in more than the last component may encode rows differently. */
function requireSameVersion(release: Release, version: string | undefined): string {
  const own = /^private-moments\/(\d+\.\d+)\.\d+/.exec(release.library)?.[1] ?? release.library;
  if (version === undefined || version === own) return own;
  const message = `it was made by ${release.library}, and earlier releases by version ${version}; make all with one version`;
  throw new PrivateMomentsError('mixed-versions', message, { field: 'library' });
}

function requireIterable(releases: unknown): void {
  const isObject = typeof releases === 'object' && releases !== null;
  if (isObject && (Symbol.iterator in releases || Symbol.asyncIterator in releases)) return;
  throw new PrivateMomentsError(
    'no-releases',
    'releases must be a list or an async iterable of releases',
  );
}
