import { canonicalJson, digest, digestSoon } from './canonical.js';
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
import { PrivateMomentsError } from './errors.js';
import { packedLength } from './features.js';
import { contentOf, hasValues } from './mechanism.js';
import { changeInWords } from './neighbours.js';
import type { ReleasedParts } from './protocol.js';
import { freezeDeep, type Study } from './study.js';
import {
  MAX_FEATURES,
  RELEASE_FORMAT,
  type ClipChoice,
  type Content,
  type Guarantee,
  type GuaranteePart,
  type LocalCounts,
  type Mechanism,
  type NoiseEnvelope,
  type Numerics,
  type ReleaseJSON,
} from './types.js';

/** The only generator whose releases protect anybody. */
const SECURE_RNG = 'chacha20-fke/1';

/** Directions: one value and one direction for every feature. */
const LARGEST_VALUES = {
  moments: packedLength(MAX_FEATURES),
  components: MAX_FEATURES * (MAX_FEATURES + 1),
};

/** The radii of the ladder, and the number of rows. */
const MOST_CLIP_COUNTS = 7;

/**
 * What leaves a participant's machine. Immutable; the fields are those of its JSON, which is all
 * there is: `local` belongs to the machine that made the release and is in no serialised form.
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
  readonly noise: NoiseEnvelope;
  readonly numerics: Numerics;
  readonly values: number[];
  readonly id: string;
  readonly #local: LocalCounts | undefined;

  /** @internal Made by `privatize` and `parseRelease`. */
  constructor(content: Omit<ReleaseJSON, 'id'>, id: string, local?: LocalCounts) {
    this.library = content.library;
    this.study = content.study;
    this.mechanism = content.mechanism;
    this.content = content.content;
    this.guarantee = content.guarantee;
    this.rows = content.rows;
    if (content.clipping !== undefined) this.clipping = content.clipping;
    this.noise = content.noise;
    this.numerics = content.numerics;
    this.values = content.values;
    this.id = id;
    this.#local = local;
    freezeDeep(this);
  }

  /**
   * Counts for the participant's eyes; undefined once the release has travelled. They carry no
   * noise, so they must never be sent along.
   */
  get local(): LocalCounts | undefined {
    return this.#local;
  }

  toJSON(): ReleaseJSON {
    return { ...bodyOf(this), id: this.id };
  }

  /** The exact bytes that leave: canonical JSON. */
  toBlob(): Blob {
    return new Blob([canonicalJson(this.toJSON())], { type: 'application/json' });
  }

  /** What leaves, in plain words; one sentence or two per line. */
  summary(): string {
    const { guarantee, rows } = this;
    const { epsilon, delta, parts } = guarantee;
    const change = changeInWords(guarantee);
    return [
      this.#whatLeaves(),
      guarantee.unit === 'participant'
        ? 'The number of rows does not leave: the participant counts as one.'
        : rows === null
          ? `The number of rows does not leave${this.content === 'moments' ? ', except with noise' : ''}.`
          : `The number of rows, ${rows}, leaves as it is: this study treats it as public.`,
      delta === 0
        ? `With ${change}, no set of outcomes becomes more than e^${epsilon} times as likely (epsilon ${epsilon}).`
        : `With ${change}, no set of outcomes becomes more likely than e^${epsilon} times what it was, plus ${brief(delta)} (epsilon ${epsilon}, delta ${brief(delta)}).`,
      ...(parts === undefined || parts.length < 2
        ? []
        : [`That is the whole of ${parts.length} parts: ${listed(parts.map(inWords))}.`]),
      ...(this.clipping === undefined
        ? []
        : [
            'With it leave, with noise, how many rows are longer than each of six public lengths; they decided how long a row may count.',
          ]),
      `This assumes that ${listed(guarantee.assumes)}.`,
    ].join('\n');
  }

  #whatLeaves(): string {
    const bytes = `${canonicalJson(this.toJSON()).length} bytes`;
    const { mechanism, values } = this;
    if (this.content === 'moments') {
      return `One file of ${values.length} whole numbers (${bytes}) leaves. It holds sums over all rows with random noise added; it holds no rows.`;
    }
    const k = mechanism.components ?? 0;
    const directions = k === 1 ? '1 direction' : `${k} directions`;
    const sizes = hasValues(mechanism) ? ', and how much they spread along each' : '';
    return `One file with ${directions} (${values.length} whole numbers, ${bytes}) leaves. It holds directions along which the rows spread most${sizes}, made partly at random; it holds no rows.`;
  }
}

function inWords({ what, epsilon, delta }: GuaranteePart): string {
  const rest = delta === 0 ? '' : `, delta ${brief(delta)}`;
  return `${what} (epsilon ${brief(epsilon)}${rest})`;
}

/** To three digits, never below what it is: a promise must not look better than it is. */
function brief(cost: number): number {
  const near = Number(cost.toPrecision(3));
  const step = 10 ** (Math.floor(Math.log10(near)) - 2);
  return near < cost ? Number((near + step).toPrecision(3)) : near;
}

/** Builds a release from what the worker handed over. */
export function makeRelease(study: Study, parts: ReleasedParts, local: LocalCounts): Release {
  const { description } = parts;
  const content: Omit<ReleaseJSON, 'id'> = {
    format: RELEASE_FORMAT,
    library: `private-moments/${parts.version}`,
    study: study.id,
    mechanism: { ...study.mechanism },
    content: description.content,
    guarantee: guaranteeOf(description),
    rows: parts.rows,
    ...(parts.clipping === undefined ? {} : { clipping: parts.clipping }),
    noise: structuredClone(description.noise),
    numerics: description.numerics,
    // Adding 0 turns -0, which JSON cannot carry, into 0.
    values: Array.from(parts.values, (value) => value + 0),
  };
  return new Release(content, digest(content), local);
}

/**
 * Reads a release: its text, its bytes, or its parsed JSON. Structure, format and digest are
 * checked; whether it fits a study is `assemble`'s business. The digest finds damage and double
 * counting. It is no signature: it does not tell who made the release.
 */
export function parseRelease(input: string | Uint8Array | object): Release {
  if (input instanceof Release) return input;
  const stated = checkRelease(jsonOf(input));
  return unaltered(stated, digest(stated.content));
}

/** The same for those who can wait for the engine's own digest. */
export async function openRelease(input: string | Uint8Array | object): Promise<Release> {
  if (input instanceof Release) return input;
  const stated = checkRelease(jsonOf(input));
  return unaltered(stated, await digestSoon(stated.content));
}

function unaltered({ content, id }: StatedRelease, found: string): Release {
  requireUnaltered('release', id, found);
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

/** Rebuilds the release from known fields only, so that nothing unknown is digested or kept. */
function checkRelease(json: unknown): StatedRelease {
  refuseForeign(json);
  const given = check.object(json, 'release', CONTENT_KEYS, ['clipping']);
  const mechanism = readStatedMechanism(given.mechanism);
  const kind = contentOf(mechanism);
  const guarantee = readGuarantee(given.guarantee);
  const content: Omit<ReleaseJSON, 'id'> = {
    format: RELEASE_FORMAT,
    library: check.text(given.library, 'library'),
    study: hex(given.study, 'study'),
    mechanism,
    content: check.oneOf(given.content, 'content', [kind]),
    guarantee,
    rows: given.rows === null ? null : check.wholeNumber(given.rows, 'rows', 1),
    ...(given.clipping === undefined ? {} : { clipping: readClipping(given.clipping) }),
    noise: readNoise(given.noise),
    numerics: check.oneOf(given.numerics, 'numerics', [guarantee.numerics]),
    values: readIntegers(given.values, 'values', LARGEST_VALUES[kind]),
  };
  return { content, id: hex(given.id, 'id') };
}

/** Other formats and test releases get their own codes, before anything else is looked at. */
function refuseForeign(json: unknown): void {
  const given = (typeof json === 'object' ? json : null) as {
    format?: unknown;
    library?: unknown;
    private?: unknown;
    noise?: { rng?: unknown; private?: unknown } | null;
  } | null;
  const format = given?.format;
  if (typeof format !== 'string' || !format.startsWith('private-moments/release@')) {
    throw unreadable('its format is not private-moments/release');
  }
  requireFormat('release', format, RELEASE_FORMAT);
  const unsafeLibrary = typeof given?.library === 'string' && given.library.includes('UNSAFE');
  const markedPublic = given?.private === false || given?.noise?.private === false;
  const rng = given?.noise?.rng;
  const insecure = typeof rng === 'string' && rng !== SECURE_RNG;
  if (unsafeLibrary || markedPublic || insecure) {
    const message = 'the release was not made with a secure random generator: it protects nobody';
    throw new PrivateMomentsError('release-unsafe', message, { field: 'noise.rng' });
  }
}

function readClipping(value: unknown): ClipChoice {
  const given = check.object(value, 'clipping', ['level', 'counts']);
  return {
    level: check.wholeNumber(given.level, 'clipping.level', 0),
    counts: readIntegers(given.counts, 'clipping.counts', MOST_CLIP_COUNTS),
  };
}

function bodyOf(release: Release): Omit<ReleaseJSON, 'id'> {
  return {
    format: release.format,
    library: release.library,
    study: release.study,
    mechanism: { ...release.mechanism },
    content: release.content,
    guarantee: guaranteeOf(release.guarantee),
    rows: release.rows,
    ...(release.clipping === undefined ? {} : { clipping: structuredClone(release.clipping) }),
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
