import { part, requireOptions } from '../base/check.js';
import { canonicalJson, digest } from '../base/canonical.js';
import { loadCore } from '../core/core.js';
import {
  check,
  pickGuarantee,
  hex,
  parseIfText,
  readGuarantee,
  readIntegers,
  readNoise,
  readStatedMechanism,
  requireReleaseFormat,
  requireSecure,
  requireUnaltered,
  notARelease,
} from '../study/envelope.js';
import { packedLength } from '../study/features.js';
import { FEDERATION_MODES } from '../study/federation-terms.js';
import { contentOf } from '../study/mechanism.js';
import { specOf } from '../core/plan.js';
import { freezeDeep, requireStudy, type Study } from '../study/study.js';
import {
  MAX_FEATURES,
  type FederationMode,
  type Guarantee,
  type Mechanism,
  type NoiseEnvelope,
} from '../study/types.js';
import { unwrap } from '../core/unwrap.js';
import type { Whole } from '../base/whole.js';

export const SUM_FORMAT = 'private-moments/sum@1';

/** The sum of the releases with one clip radius. */
export interface SumGroup {
  /** Level of the clip radius, 0 to 6; 0 if the radius is fixed. */
  level: number;
  /** Number of releases in the sum. */
  releases: number;
  /** Number of their rows; null if that number is private. */
  rows: number | null;
  /** With adaptive clipping: the sums of their counts. */
  counts?: Whole[];
  /** With private centring: for each feature the greatest `reach` of the summands of the releases. */
  reach?: number[];
  /**
   * Second moments in the order of a release, in units of the noise's `unit` at this level. With private
   * centring: the sums of the numbers whose words are the releases' summands.
   */
  values: Whole[];
}

/** A sum of releases that was computed elsewhere: behind masks, or by a database. */
export interface SumJSON {
  format: typeof SUM_FORMAT;
  /** `private-moments/` and the version that made the sum. */
  library: string;
  study: string;
  mode: FederationMode;
  /** The id of the session whose messages were summed; null if there was none. */
  session: string | null;
  /** SHA-256 of the canonical JSON of the sorted list of the ids of all members of the sum. */
  members: string;
  mechanism: Mechanism;
  guarantee: Guarantee;
  /** The noise of one of the releases, at level 0. */
  noise: NoiseEnvelope;
  groups: SumGroup[];
  /** SHA-256 of the canonical JSON of everything else. */
  id: string;
}

const MAX_LEVELS = 7;
const MAX_VALUES = summandsLength(MAX_FEATURES);
const MAX_RELEASES = 2 ** 40;
const DIGITS = /^-?[1-9]\d{15,30}$/;

/** How many numbers the summands of a release with private centring are. */
export function summandsLength(features: number): number {
  return 8 + 6 * features + 4 * packedLength(features - 1) + features ** 2;
}

/** A sum of releases. Immutable. Pass it to `assemble` alone, in place of the releases. */
export class Sum implements SumJSON {
  readonly format = SUM_FORMAT;
  readonly library: string;
  readonly study: string;
  readonly mode: FederationMode;
  readonly session: string | null;
  readonly members: string;
  readonly mechanism: Mechanism;
  readonly guarantee: Guarantee;
  readonly noise: NoiseEnvelope;
  readonly groups: SumGroup[];
  readonly id: string;

  /** @internal Call `createSum` or `parseSum`. */
  constructor(content: Omit<SumJSON, 'id'>, id: string) {
    this.library = content.library;
    this.study = content.study;
    this.mode = content.mode;
    this.session = content.session;
    this.members = content.members;
    this.mechanism = content.mechanism;
    this.guarantee = content.guarantee;
    this.noise = content.noise;
    this.groups = content.groups;
    this.id = id;
    freezeDeep(this);
  }

  /** Number of releases in the sum. */
  get releases(): number {
    return this.groups.reduce((all, { releases }) => all + releases, 0);
  }

  toJSON(): SumJSON {
    const { format, library, study, mode, session, members, mechanism } = this;
    const { guarantee, noise, groups, id } = this;
    return structuredClone({
      format,
      ...{ library, study, mode, session, members, mechanism, guarantee, noise, groups, id },
    });
  }

  /** The bytes of the canonical JSON. */
  toBlob(): Blob {
    return new Blob([canonicalJson(this.toJSON())], { type: 'application/json' });
  }
}

/** The parts of a sum that do not follow from the study. */
export interface SumParts {
  /** The id of the session whose messages were summed; default null. */
  session?: string | null;
  /**
   * The ids of the releases, or of the session's participants, in the sum; or their `digest`, as in
   * `members` of SumJSON.
   */
  members: Iterable<string> | { readonly digest: string };
  groups: readonly SumGroup[];
}

/**
 * Makes a `Sum` from releases that were summed elsewhere. Check each release before (`checkReleases`).
 * Guarantee and noise follow from the study.
 * @throws PrivateMomentsError `release-unreadable` if the parts are not those of a sum.
 */
export async function createSum(study: Study, parts: SumParts): Promise<Sum> {
  requireOptions(parts, ['session', 'members', 'groups']);
  const { session, members, groups } = parts as Partial<SumParts>;
  requireStudy(study);
  const core = await loadCore();
  const description = unwrap(core.describe(specOf(study)));
  const content: Omit<SumJSON, 'id'> = {
    format: SUM_FORMAT,
    library: `private-moments/${core.version()}`,
    study: study.id,
    mode: study.federation.mode,
    session: session ?? null,
    members: isIterable(members)
      ? digest([...members].sort())
      : hex(part(members, 'digest'), 'members'),
    mechanism: { ...study.mechanism },
    guarantee: pickGuarantee(description, study.federation),
    noise: structuredClone(description.noise),
    groups: readGroups(groups),
  };
  return new Sum(content, digest(content));
}

function isIterable(members: SumParts['members'] | undefined): members is Iterable<string> {
  return Symbol.iterator in Object(members);
}

/** Whether parsed JSON is a sum, by its format. */
export function isSum(json: unknown): boolean {
  const format = (typeof json === 'object' ? (json as { format?: unknown } | null) : null)?.format;
  return typeof format === 'string' && format.startsWith('private-moments/sum@');
}

/**
 * Reads a sum from its text, its bytes or its parsed JSON. Checks structure, format and digest.
 * @throws PrivateMomentsError `release-unreadable`, `release-version`, `release-altered`, `release-unsafe`
 */
export function parseSum(input: string | Uint8Array | object): Sum {
  if (input instanceof Sum) return input;
  const json = parseIfText(input);
  if (!isSum(json)) throw notARelease('its format is not private-moments/sum');
  const stated = json as Record<string, unknown>;
  requireReleaseFormat('sum', String(stated.format), SUM_FORMAT);
  requireSecure('sum', json);
  const keys = ['library', 'study', 'mode', 'session', 'members', 'mechanism', 'guarantee'];
  const fields = check.object(json, 'sum', ['format', ...keys, 'noise', 'groups', 'id']);
  const mechanism = readStatedMechanism(fields.mechanism);
  if (contentOf(mechanism) !== 'moments')
    throw notARelease(`${mechanism.name} releases directions`);
  const content: Omit<SumJSON, 'id'> = {
    format: SUM_FORMAT,
    library: check.text(fields.library, 'library'),
    study: hex(fields.study, 'study'),
    mode: check.oneOf(fields.mode, 'mode', FEDERATION_MODES),
    session: fields.session === null ? null : hex(fields.session, 'session'),
    members: hex(fields.members, 'members'),
    mechanism,
    guarantee: readGuarantee(fields.guarantee),
    noise: readNoise(fields.noise),
    groups: readGroups(fields.groups),
  };
  const id = hex(fields.id, 'id');
  requireUnaltered('sum', id, digest(content));
  return new Sum(content, id);
}

function readGroups(value: unknown): SumGroup[] {
  const list = check.list(value, 'groups');
  if (list.length === 0 || list.length > MAX_LEVELS)
    throw notARelease(`it has ${list.length} groups (1 to ${MAX_LEVELS} are possible)`);
  const levels = new Set<number>();
  return list.map((item, index) => {
    const field = `groups[${index}]`;
    const optional = ['counts', 'reach'];
    const fields = check.object(item, field, ['level', 'releases', 'rows', 'values'], optional);
    const level = check.wholeNumber(fields.level, `${field}.level`, 0, MAX_LEVELS - 1);
    if (levels.has(level)) throw notARelease(`two groups have the level ${level}`);
    levels.add(level);
    return {
      level,
      releases: check.wholeNumber(fields.releases, `${field}.releases`, 1, MAX_RELEASES),
      rows: fields.rows === null ? null : check.wholeNumber(fields.rows, `${field}.rows`, 1),
      ...(fields.counts === undefined
        ? {}
        : { counts: readWholes(fields.counts, `${field}.counts`, MAX_LEVELS) }),
      ...(fields.reach === undefined
        ? {}
        : { reach: readIntegers(fields.reach, `${field}.reach`, MAX_FEATURES) }),
      values: readWholes(fields.values, `${field}.values`, MAX_VALUES),
    };
  });
}

function readWholes(value: unknown, field: string, maxLength: number): Whole[] {
  const list = check.list(value, field);
  const isText = (item: unknown): item is string => typeof item === 'string' && DIGITS.test(item);
  // Only one form is accepted for each whole number, so that the digest does not depend on the writer.
  const isLarge = (item: unknown): item is string =>
    isText(item) && !Number.isSafeInteger(Number(item));
  const numbers = readIntegers(
    list.map((item) => (isLarge(item) ? 0 : item)),
    field,
    maxLength,
  );
  return numbers.map((number, index) => {
    const item = list[index];
    return isLarge(item) ? item : number;
  });
}
