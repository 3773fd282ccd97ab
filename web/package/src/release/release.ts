import { canonicalJson, digest, digestAsync } from '../base/canonical.js';
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
import { contentOf, hasValues } from '../study/mechanism.js';
import { changeInWords } from '../study/neighbours.js';
import type { ReleasedParts } from '../intake/protocol.js';
import { freezeDeep, type Study } from '../study/study.js';
import {
  MAX_FEATURES,
  RELEASE_FORMAT,
  type CentringChoice,
  type ClipChoice,
  type Content,
  type Guarantee,
  type GuaranteePart,
  type LocalCounts,
  type Mechanism,
  type NoiseEnvelope,
  type Numerics,
  type ReleaseJSON,
} from '../study/types.js';

/** Maximum length of `values`. For components: one value and one direction for every feature. */
const MAX_VALUES = {
  moments: packedLength(MAX_FEATURES),
  components: MAX_FEATURES * (MAX_FEATURES + 1),
};

/** The most clip radii of a release, of which all but the longest have a count. */
const MAX_LEVELS = 24;

/**
 * A release: what leaves a participant's machine. Immutable; its fields are those of its JSON. `local` stays
 * on the machine that made the release and is never serialised.
 */
export class Release implements ReleaseJSON {
  readonly format = RELEASE_FORMAT;
  readonly library: string;
  readonly study: string;
  readonly mechanism: Mechanism;
  readonly content: Content;
  readonly guarantee: Guarantee;
  readonly rows: number | null;
  readonly clipping?: ClipChoice;
  readonly centring?: CentringChoice;
  readonly noise: NoiseEnvelope;
  readonly numerics: Numerics;
  readonly values: number[];
  readonly id: string;
  readonly #local: LocalCounts | undefined;

  /** @internal Call `privatize` or `parseRelease`. */
  constructor(content: Omit<ReleaseJSON, 'id'>, id: string, local?: LocalCounts) {
    this.library = content.library;
    this.study = content.study;
    this.mechanism = content.mechanism;
    this.content = content.content;
    this.guarantee = content.guarantee;
    this.rows = content.rows;
    if (content.clipping !== undefined) this.clipping = content.clipping;
    if (content.centring !== undefined) this.centring = content.centring;
    this.noise = content.noise;
    this.numerics = content.numerics;
    this.values = content.values;
    this.id = id;
    this.#local = local;
    freezeDeep(this);
  }

  /**
   * Counts for the participant only; undefined in a release that was parsed. They have no noise and must
   * never be sent.
   */
  get local(): LocalCounts | undefined {
    return this.#local;
  }

  /** The release as plain data, without `local`. */
  toJSON(): ReleaseJSON {
    return { ...bodyOf(this), id: this.id };
  }

  /** The exact bytes to send: canonical JSON. */
  toBlob(): Blob {
    return new Blob([canonicalJson(this.toJSON())], { type: 'application/json' });
  }

  /** What the release contains and guarantees, in plain words, one topic per line. */
  summary(): string {
    const { guarantee, rows } = this;
    const { epsilon, delta, parts } = guarantee;
    const change = changeInWords(guarantee);
    return [
      this.#contents(),
      guarantee.unit === 'participant'
        ? 'It does not state the number of rows: the participant counts as one.'
        : rows === null
          ? `It does not state the number of rows${this.content === 'moments' ? ', except with noise' : ''}.`
          : `It states the number of rows, ${rows}, without noise: this study treats it as public.`,
      delta === 0
        ? `With ${change}, no set of outcomes becomes more than e^${epsilon} times as likely (epsilon ${epsilon}).`
        : `With ${change}, no set of outcomes becomes more likely than e^${epsilon} times what it was, plus ${brief(delta)} (epsilon ${epsilon}, delta ${brief(delta)}).`,
      ...(parts === undefined || parts.length < 2
        ? []
        : [`This is the total of ${parts.length} parts: ${listed(parts.map(inWords))}.`]),
      ...this.#choices(),
      `This assumes that ${listed(guarantee.assumes)}.`,
    ].join('\n');
  }

  /** What else is in the file: the numbers behind its choices. */
  #choices(): string[] {
    if (this.clipping === undefined) return [];
    if (this.centring === undefined) {
      return [
        'It also states, with noise, how many rows are longer than each of six public lengths. These counts chose the length to which rows are shortened.',
      ];
    }
    return [
      'It also states, with noise, the sums and sums of squares of the columns, which chose the centre and the scales of its numbers, and how many rows have about which length, which chose the length to which rows are shortened.',
    ];
  }

  #contents(): string {
    const bytes = `${canonicalJson(this.toJSON()).length} bytes`;
    const { mechanism, values } = this;
    if (this.content === 'moments') {
      return `The release is one file of ${values.length} whole numbers (${bytes}). It contains sums over all rows with random noise added; it contains no rows.`;
    }
    const k = mechanism.components ?? 0;
    const directions = k === 1 ? '1 direction' : `${k} directions`;
    const sizes = hasValues(mechanism) ? ', and how much they spread along each' : '';
    return `The release is one file with ${directions} (${values.length} whole numbers, ${bytes}). It contains directions along which the rows spread most${sizes}, made partly at random; it contains no rows.`;
  }
}

function inWords({ what, epsilon, delta }: GuaranteePart): string {
  const rest = delta === 0 ? '' : `, delta ${brief(delta)}`;
  return `${what} (epsilon ${brief(epsilon)}${rest})`;
}

/** Rounds up to three digits, because a guarantee must not look better than it is. */
function brief(cost: number): number {
  const near = Number(cost.toPrecision(3));
  const step = 10 ** (Math.floor(Math.log10(near)) - 2);
  return near < cost ? Number((near + step).toPrecision(3)) : near;
}

/** Builds a release from the parts that the worker sent. */
export function makeRelease(study: Study, parts: ReleasedParts, local: LocalCounts): Release {
  const { description } = parts;
  const content: Omit<ReleaseJSON, 'id'> = {
    format: RELEASE_FORMAT,
    library: `private-moments/${parts.version}`,
    study: study.id,
    mechanism: { ...study.mechanism },
    content: description.content,
    guarantee: pickGuarantee(description),
    rows: parts.rows,
    ...(parts.clipping === undefined ? {} : { clipping: parts.clipping }),
    ...(parts.centring === undefined ? {} : { centring: parts.centring }),
    noise: structuredClone(description.noise),
    numerics: description.numerics,
    // Adding 0 turns -0, which JSON cannot represent, into 0.
    values: Array.from(parts.values, (value) => value + 0),
  };
  return new Release(content, digest(content), local);
}

/**
 * Reads a release from its text, its bytes or its parsed JSON. Checks structure, format and digest; whether
 * the release fits a study is checked by `assemble`. The digest detects damage and duplicates. It is not a
 * signature: it does not show who made the release.
 * @throws PrivateMomentsError `release-unreadable`, `release-truncated`, `release-version`,
 * `release-altered`, `release-unsafe`
 *
 * @example
 * ```ts
 * const release = parseRelease(await file.text());
 * ```
 */
export function parseRelease(input: string | Uint8Array | object): Release {
  if (input instanceof Release) return input;
  const stated = checkRelease(parseIfText(input));
  return unaltered(stated, digest(stated.content));
}

/** `parseRelease` with the faster, asynchronous digest. */
export async function openRelease(input: string | Uint8Array | object): Promise<Release> {
  if (input instanceof Release) return input;
  const stated = checkRelease(parseIfText(input));
  return unaltered(stated, await digestAsync(stated.content));
}

function unaltered({ content, id }: StatedRelease, computed: string): Release {
  requireUnaltered('release', id, computed);
  return new Release(content, id);
}

const CONTENT_KEYS = [
  'format',
  'library',
  'study',
  'mechanism',
  'content',
  'guarantee',
  'rows',
  'noise',
  'numerics',
  'values',
  'id',
];
/** A release and the digest it states. */
interface StatedRelease {
  content: Omit<ReleaseJSON, 'id'>;
  id: string;
}

/** Rebuilds the release from known fields only, so that nothing else is digested or stored. */
function checkRelease(json: unknown): StatedRelease {
  refuseForeign(json);
  const fields = check.object(json, 'release', CONTENT_KEYS, ['clipping', 'centring']);
  const mechanism = readStatedMechanism(fields.mechanism);
  const kind = contentOf(mechanism);
  const guarantee = readGuarantee(fields.guarantee);
  const content: Omit<ReleaseJSON, 'id'> = {
    format: RELEASE_FORMAT,
    library: check.text(fields.library, 'library'),
    study: hex(fields.study, 'study'),
    mechanism,
    content: check.oneOf(fields.content, 'content', [kind]),
    guarantee,
    rows: fields.rows === null ? null : check.wholeNumber(fields.rows, 'rows', 1),
    ...(fields.clipping === undefined ? {} : { clipping: readClipping(fields.clipping) }),
    ...(fields.centring === undefined ? {} : { centring: readCentring(fields.centring) }),
    noise: readNoise(fields.noise),
    numerics: check.oneOf(fields.numerics, 'numerics', [guarantee.numerics]),
    values: readIntegers(fields.values, 'values', MAX_VALUES[kind]),
  };
  return { content, id: hex(fields.id, 'id') };
}

/** Refuses other formats and test releases with their own codes, before anything else is checked. */
function refuseForeign(json: unknown): void {
  const format = (typeof json === 'object' ? (json as { format?: unknown } | null) : null)?.format;
  if (typeof format !== 'string' || !format.startsWith('private-moments/release@')) {
    throw notARelease('its format is not private-moments/release');
  }
  requireReleaseFormat('release', format, RELEASE_FORMAT);
  requireSecure('release', json);
}

function readClipping(value: unknown): ClipChoice {
  const fields = check.object(value, 'clipping', ['level', 'counts']);
  return {
    level: check.wholeNumber(fields.level, 'clipping.level', 0),
    counts: readIntegers(fields.counts, 'clipping.counts', MAX_LEVELS),
  };
}

function readCentring(value: unknown): CentringChoice {
  const keys = ['survey', 'centre', 'scale', 'radius', 'levels'];
  const fields = check.object(value, 'centring', keys);
  const numbers = (key: string): number[] => {
    const field = `centring.${key}`;
    const list = check.list(fields[key], field);
    if (list.length > MAX_FEATURES) throw notARelease(`it has ${list.length} ${field}`);
    return list.map((item, index) => check.number(item, `${field}[${index}]`));
  };
  return {
    survey: readIntegers(fields.survey, 'centring.survey', 2 * MAX_FEATURES + 1),
    centre: numbers('centre'),
    scale: numbers('scale'),
    radius: check.number(fields.radius, 'centring.radius'),
    levels: check.wholeNumber(fields.levels, 'centring.levels', 1, MAX_LEVELS),
  };
}

function bodyOf(release: Release): Omit<ReleaseJSON, 'id'> {
  return {
    format: release.format,
    library: release.library,
    study: release.study,
    mechanism: { ...release.mechanism },
    content: release.content,
    guarantee: pickGuarantee(release.guarantee),
    rows: release.rows,
    ...(release.clipping === undefined ? {} : { clipping: structuredClone(release.clipping) }),
    ...(release.centring === undefined ? {} : { centring: structuredClone(release.centring) }),
    noise: structuredClone(release.noise),
    numerics: release.numerics,
    values: [...release.values],
  };
}

function listed(parts: readonly string[]): string {
  return parts.length < 2
    ? (parts[0] ?? '')
    : `${parts.slice(0, -1).join('; ')}; and ${parts.at(-1) ?? ''}`;
}
