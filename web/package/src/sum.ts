import { part, requireKnown } from './check.js';
import { canonicalJson, digest } from './canonical.js';
import { loadCore } from './core.js';
import {
  check,
  guaranteeOf,
  hex,
  jsonOf,
  readGuarantee,
  readIntegers,
  readNoise,
  readStatedMechanism,
  requireFormat,
  requireUnaltered,
  unreadable,
} from './envelope.js';
import { packedLength } from './features.js';
import { FEDERATION_MODES } from './federation/terms.js';
import { contentOf } from './mechanism.js';
import { specOf } from './plan.js';
import { freezeDeep, requireStudy, type Study } from './study.js';
import {
  MAX_FEATURES,
  type FederationMode,
  type Guarantee,
  type Mechanism,
  type NoiseEnvelope,
} from './types.js';
import { unwrap } from './unwrap.js';
import type { Whole } from './whole.js';

export const SUM_FORMAT = 'private-moments/sum@1';

/** Releases of one clip radius, summed. */
export interface SumGroup {
  /** Of the clip ladder; 0 where the radius is fixed. */
  level: number;
  /** How many were summed. */
  releases: number;
  /** Their rows; null where that number is private. */
  rows: number | null;
  /** With adaptive clipping: the sums of their counts. */
  counts?: Whole[];
  /** Second moments as in a release, in units of the noise's `unit` at this level. */
  values: Whole[];
}

/** Releases that were summed before they came: behind masks, or by a database. */
export interface SumJSON {
  format: typeof SUM_FORMAT;
  /** `private-moments/` and the version that summed. */
  library: string;
  study: string;
  mode: FederationMode;
  /** The id of the session whose messages were summed; null where there was none. */
  session: string | null;
  /** SHA-256 of the canonical JSON of the sorted list of the ids of what was summed. */
  members: string;
  mechanism: Mechanism;
  guarantee: Guarantee;
  /** Of one of the releases; at level 0. */
  noise: NoiseEnvelope;
  groups: SumGroup[];
  /** SHA-256 of the canonical JSON of everything else. */
  id: string;
}

const MOST_LEVELS = 7;
const MOST_VALUES = packedLength(MAX_FEATURES);
const MOST_RELEASES = 2 ** 40;
const DIGITS = /^-?[1-9]\d{15,30}$/;

/** A sum of releases. Immutable; `assemble` takes it alone, in place of what was summed. */
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

  /** @internal Made by `createSum` and `parseSum`. */
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

  /** How many releases were summed. */
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

  /** Canonical JSON. */
  toBlob(): Blob {
    return new Blob([canonicalJson(this.toJSON())], { type: 'application/json' });
  }
}

/** What a sum is made of besides what the study implies. */
export interface SumParts {
  /** The id of the session whose messages were summed; default null. */
  session?: string | null;
  /**
   * The ids of what was summed, of releases or of a session's participants; or `members` of the
   * format, where whoever summed has worked it out.
   */
  members: Iterable<string> | { readonly digest: string };
  groups: readonly SumGroup[];
}

/**
 * Writes down releases that were summed elsewhere, each of which was checked before. What is promised
 * and how large the noise is follow from the study.
 * @throws PrivateMomentsError `release-unreadable` where the parts are not those of a sum.
 */
export async function createSum(study: Study, parts: SumParts): Promise<Sum> {
  requireKnown(parts, ['session', 'members', 'groups']);
  const { session, members, groups } = parts as Partial<SumParts>;
  const core = await loadCore();
  const description = unwrap(core.describe(specOf(requireStudy(study))));
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
    guarantee: guaranteeOf(description, study.federation),
    noise: structuredClone(description.noise),
    groups: readGroups(groups),
  };
  return new Sum(content, digest(content));
}

function isIterable(members: SumParts['members'] | undefined): members is Iterable<string> {
  return Symbol.iterator in Object(members);
}

/** Whether a text, bytes, or an object that was read already is a sum and no release. */
export function isSum(json: unknown): boolean {
  const format = (typeof json === 'object' ? (json as { format?: unknown } | null) : null)?.format;
  return typeof format === 'string' && format.startsWith('private-moments/sum@');
}

/**
 * Reads a sum. Structure, format and digest are checked, as by `parseRelease`.
 * @throws PrivateMomentsError `release-unreadable`, `release-version`, `release-altered`
 */
export function parseSum(input: string | Uint8Array | object): Sum {
  if (input instanceof Sum) return input;
  const json = jsonOf(input);
  if (!isSum(json)) throw unreadable('its format is not private-moments/sum');
  const stated = json as Record<string, unknown>;
  requireFormat('sum', String(stated.format), SUM_FORMAT);
  const keys = ['library', 'study', 'mode', 'session', 'members', 'mechanism', 'guarantee'];
  const given = check.object(json, 'sum', ['format', ...keys, 'noise', 'groups', 'id']);
  const mechanism = readStatedMechanism(given.mechanism);
  if (contentOf(mechanism) !== 'moments') throw unreadable(`${mechanism.name} releases directions`);
  const content: Omit<SumJSON, 'id'> = {
    format: SUM_FORMAT,
    library: check.text(given.library, 'library'),
    study: hex(given.study, 'study'),
    mode: check.oneOf(given.mode, 'mode', FEDERATION_MODES),
    session: given.session === null ? null : hex(given.session, 'session'),
    members: hex(given.members, 'members'),
    mechanism,
    guarantee: readGuarantee(given.guarantee),
    noise: readNoise(given.noise),
    groups: readGroups(given.groups),
  };
  const id = hex(given.id, 'id');
  requireUnaltered('sum', id, digest(content));
  return new Sum(content, id);
}

function readGroups(value: unknown): SumGroup[] {
  const list = check.list(value, 'groups');
  if (list.length === 0 || list.length > MOST_LEVELS) throw unreadable('it sums no releases');
  const levels = new Set<number>();
  return list.map((item, index) => {
    const field = `groups[${index}]`;
    const given = check.object(item, field, ['level', 'releases', 'rows', 'values'], ['counts']);
    const level = check.wholeNumber(given.level, `${field}.level`, 0, MOST_LEVELS - 1);
    if (levels.has(level)) throw unreadable(`two groups have the level ${level}`);
    levels.add(level);
    return {
      level,
      releases: check.wholeNumber(given.releases, `${field}.releases`, 1, MOST_RELEASES),
      rows: given.rows === null ? null : check.wholeNumber(given.rows, `${field}.rows`, 1),
      ...(given.counts === undefined
        ? {}
        : { counts: readWholes(given.counts, `${field}.counts`, MOST_LEVELS) }),
      values: readWholes(given.values, `${field}.values`, MOST_VALUES),
    };
  });
}

function readWholes(value: unknown, field: string, most: number): Whole[] {
  const list = check.list(value, field);
  const isText = (item: unknown): item is string => typeof item === 'string' && DIGITS.test(item);
  // As every whole number has one form only, the digest does not depend on who wrote it.
  const isLarge = (item: unknown): item is string =>
    isText(item) && !Number.isSafeInteger(Number(item));
  const numbers = readIntegers(
    list.map((item) => (isLarge(item) ? 0 : item)),
    field,
    most,
  );
  return numbers.map((number, index) => {
    const item = list[index];
    return isLarge(item) ? item : number;
  });
}
