import { canonicalJson } from '../base/canonical.js';
import { checker, part, requireFormat, requireOptions } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import { packedLength, releasedFeatures } from '../study/features.js';
import { freezeDeep, requireStudy, type Study } from '../study/study.js';
import { MAX_FEATURES } from '../study/types.js';
import { hashOf } from '../base/binary.js';
import { publicBytes, SUITES, type PublicRoleKeys, type RoleKeys, type Suite } from './keys.js';
import {
  dropoutsOf,
  MAX_SITES,
  readRingTerms,
  readSites,
  readSplitTerms,
  type TermsContext,
} from '../study/federation-terms.js';

export const SESSION_FORMAT = 'private-moments/session@2';

export type SessionMode = 'split' | 'ring' | 'correlated';

/** The public terms of one collection, made from a study by the collector. */
export interface SessionJSON {
  format: typeof SESSION_FORMAT;
  /** The study's id. */
  study: string;
  mode: SessionMode;
  suite: Suite;
  /** 1, and one more for each further attempt. Every attempt costs privacy again. */
  attempt: number;
  /** Maximum number of participants. */
  sites: number;
  /** As in the study. */
  honest: number;
  /** As in the study; split and ring only. */
  dropouts?: number;
  /** Ring only: the number of answers needed before masks are removed. */
  threshold?: number;
  /** Length of a masked vector of packed second moments. */
  length: number;
  /** Split only. */
  analyst?: PublicRoleKeys;
  /** Split only. */
  helper?: PublicRoleKeys;
  /** Ring and correlated only. */
  coordinator?: PublicRoleKeys;
  /** Signing keys of those who may take part, sorted. Absent: anyone may. */
  allow?: string[];
}

export interface SessionOptions {
  /** Keys of the collector: the analyst of mode `split`, the coordinator of the others. */
  collector: PublicRoleKeys | RoleKeys;
  /** Mode `split` only: keys of the helper, which adds up the masks. */
  helper?: PublicRoleKeys | RoleKeys;
  /** Default 1. */
  attempt?: number;
  /** Default: the suite of the collector's keys. */
  suite?: Suite;
  /** Signing keys of those who may take part. Default: anyone may. */
  allow?: Iterable<string>;
}

const MAX_ALLOWED = 1 << 16;
const MODES: readonly SessionMode[] = ['split', 'ring', 'correlated'];
const IN_SESSION: TermsContext = { code: 'invalid-session', prefix: '' };

const FORMAT_CODES = { invalid: 'invalid-session', version: 'session-version' } as const;

const check = checker('invalid-session');

/** A checked session. Immutable; two sessions with the same content have the same `id`. */
export class Session {
  readonly study: string;
  readonly mode: SessionMode;
  readonly suite: Suite;
  readonly attempt: number;
  readonly sites: number;
  readonly honest: number;
  /** Maximum number of sites that may be missing from the sum. */
  readonly dropouts: number;
  readonly length: number;
  /** Minimum number of releases in a sum: `sites` minus `dropouts`. */
  readonly least: number;
  /** Number of answers needed before masks are removed: all, unless a ring says otherwise. */
  readonly threshold: number;
  /** Ring only: whether the masks of participants who drop out can be recovered; true if `threshold` is below `sites`. */
  readonly recovers: boolean;
  /** Keys of the analyst or the coordinator. */
  readonly collector: PublicRoleKeys;
  readonly helper: PublicRoleKeys | undefined;
  readonly allow: ReadonlySet<string> | undefined;
  /** SHA-256 of the canonical JSON, 64 hex digits. */
  readonly id: string;
  readonly #json: SessionJSON;

  /** @internal Made by `createSession` and `parseSession`. */
  constructor(json: SessionJSON) {
    const collector = json.analyst ?? json.coordinator;
    if (collector === undefined) throw invalid('analyst', 'the session has no collector');
    this.study = json.study;
    this.mode = json.mode;
    this.suite = json.suite;
    this.attempt = json.attempt;
    this.sites = json.sites;
    this.honest = json.honest;
    this.dropouts = json.dropouts ?? 0;
    this.length = json.length;
    this.threshold = json.threshold ?? json.sites;
    this.least = json.sites - this.dropouts;
    this.recovers = json.mode === 'ring' && this.threshold < json.sites;
    this.collector = collector;
    this.helper = json.helper;
    this.allow = json.allow === undefined ? undefined : new Set(json.allow);
    this.#json = json;
    freezeDeep(json);
    this.id = hashOf(canonicalJson(json));
  }

  toJSON(): SessionJSON {
    return structuredClone(this.#json);
  }

  /** Size of a masked vector in bytes. */
  get payloadBytes(): number {
    return 8 * this.length;
  }

  /** Whether the owner of this signing key may take part. */
  admits(key: string): boolean {
    return this.allow?.has(key) ?? true;
  }
}

/**
 * Makes a session of a study whose releases are summed behind masks.
 * @throws PrivateMomentsError `invalid-session`
 */
export function createSession(study: Study, options: SessionOptions): Session {
  requireOptions(options, ['collector', 'helper', 'attempt', 'suite', 'allow']);
  const { federation, id } = requireStudy(study);
  if (federation.mode === 'independent') {
    throw invalid(
      'mode',
      'a study with federation mode independent needs no session; sites send their releases',
    );
  }
  const { mode, sites, honest } = federation;
  const collector = publicKeys(options.collector);
  const suite = options.suite ?? suiteOf(collector.sign);
  const allow = options.allow === undefined ? undefined : [...new Set(options.allow)].sort();
  return parseSession({
    format: SESSION_FORMAT,
    study: id,
    mode,
    suite,
    attempt: options.attempt ?? 1,
    sites,
    honest,
    ...(federation.mode === 'correlated' ? {} : { dropouts: federation.dropouts }),
    ...(federation.mode === 'ring' ? { threshold: federation.threshold } : {}),
    length: packedLength(releasedFeatures(study)),
    ...(mode === 'split' ? { analyst: collector } : { coordinator: collector }),
    ...(options.helper === undefined ? {} : { helper: publicKeys(options.helper) }),
    ...(allow === undefined ? {} : { allow }),
  });
}

/**
 * Reads a session from its JSON, as text or as an object.
 * @throws PrivateMomentsError `session-version`, or `invalid-session` with the invalid field
 */
export function parseSession(input: string | object): Session {
  const json = typeof input === 'string' ? parsed(input) : input;
  if (json instanceof Session) return json;
  requireFormat(json, SESSION_FORMAT, FORMAT_CODES);
  const keys = ['format', 'study', 'mode', 'suite', 'attempt', 'sites', 'honest', 'length'];
  const optional = ['dropouts', 'threshold', 'analyst', 'helper', 'coordinator', 'allow'];
  const fields = check.object(json, 'session', keys, optional);
  const mode = check.oneOf(fields.mode, 'mode', MODES);
  const isSplit = mode === 'split';
  const needed = [...keys, ...(isSplit ? ['analyst', 'helper'] : ['coordinator'])];
  if (mode !== 'correlated') needed.push('dropouts');
  if (mode === 'ring') needed.push('threshold');
  check.object(json, 'session', needed, ['allow']);
  const suite = check.oneOf(fields.suite, 'suite', SUITES);
  const study = check.text(fields.study, 'study');
  if (!/^[0-9a-f]{64}$/.test(study)) throw invalid('study', 'study must be the id of a study');
  return new Session({
    format: SESSION_FORMAT,
    study,
    mode,
    suite,
    attempt: check.wholeNumber(fields.attempt, 'attempt', 1),
    ...readTerms(mode, fields),
    length: check.wholeNumber(fields.length, 'length', 1, packedLength(MAX_FEATURES)),
    ...(isSplit
      ? { analyst: readKeys(fields.analyst, 'analyst', suite) }
      : { coordinator: readKeys(fields.coordinator, 'coordinator', suite) }),
    ...(isSplit ? { helper: readHelper(fields, suite) } : {}),
    ...(fields.allow === undefined ? {} : { allow: readAllow(fields.allow, suite) }),
  });
}

/**
 * Checks that a session belongs to a study. A participant does this before anything else.
 * @throws PrivateMomentsError `wrong-study`, or `invalid-session` if the terms differ
 */
export function requireSessionOf(study: Study, session: Session): void {
  const { id, federation } = requireStudy(study);
  requireSession(session);
  if (session.study !== id) {
    const message = 'the session belongs to another study; ask for the link again';
    throw new PrivateMomentsError('wrong-study', message, { field: 'study' });
  }
  const differs = (field: string): PrivateMomentsError =>
    invalid(field, `the session's ${field} differs from the study's`);
  if (federation.mode !== session.mode) throw differs('mode');
  if (federation.sites !== session.sites) throw differs('sites');
  if (federation.honest !== session.honest) throw differs('honest');
  if (dropoutsOf(federation) !== session.dropouts) throw differs('dropouts');
  if (federation.mode === 'ring' && federation.threshold !== session.threshold) {
    throw differs('threshold');
  }
  if (packedLength(releasedFeatures(study)) !== session.length) throw differs('length');
}

function readTerms(
  mode: SessionMode,
  fields: Record<string, unknown>,
): Pick<SessionJSON, 'sites' | 'honest' | 'dropouts' | 'threshold'> {
  switch (mode) {
    case 'split':
      return readSplitTerms(fields, IN_SESSION);
    case 'ring':
      return readRingTerms(fields, IN_SESSION);
    case 'correlated':
      return readSites(fields, IN_SESSION, MAX_SITES);
  }
}

/** @throws PrivateMomentsError `invalid-session` if `session` was not made by this module */
export function requireSession(session: unknown): asserts session is Session {
  if (session instanceof Session) return;
  throw invalid('session', 'the session must come from createSession, parseSession or a link');
}

/** The public halves of a role's keys. @throws PrivateMomentsError `invalid-keys` */
export function publicKeys(keys: PublicRoleKeys | RoleKeys): PublicRoleKeys {
  const publicHalf = (name: 'sign' | 'seal'): string => {
    const key = part(keys, name);
    const text = typeof key === 'string' ? key : part(key, 'public');
    if (typeof text === 'string') return text;
    const message = `the keys have no ${name}`;
    throw new PrivateMomentsError('invalid-keys', message, { field: `keys.${name}` });
  };
  return { sign: publicHalf('sign'), seal: publicHalf('seal') };
}

/** The digest of a set of participants: SHA-256 of their sorted pids, concatenated. */
export function digestOfSet(pids: readonly string[]): string {
  return hashOf([...pids].sort().join(''));
}

function suiteOf(key: string): Suite {
  const suite = SUITES.find((candidate) => publicBytes(candidate, 'sign', key) !== undefined);
  if (suite === undefined) throw invalid('collector', "the collector's key is invalid");
  return suite;
}

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (cause) {
    throw new PrivateMomentsError('invalid-session', 'the session is not JSON text', {}, cause);
  }
}

function readKeys(value: unknown, field: string, suite: Suite): PublicRoleKeys {
  const fields = check.object(value, field, ['sign', 'seal']);
  const sign = check.text(fields.sign, `${field}.sign`);
  const seal = check.text(fields.seal, `${field}.seal`);
  if (publicBytes(suite, 'sign', sign) === undefined) {
    throw invalid(`${field}.sign`, `${field}.sign is not a signing key of suite ${suite}`);
  }
  if (publicBytes(suite, 'agree', seal) === undefined) {
    throw invalid(`${field}.seal`, `${field}.seal is not a sealing key of suite ${suite}`);
  }
  return { sign, seal };
}

function readHelper(fields: Record<string, unknown>, suite: Suite): PublicRoleKeys {
  const helper = readKeys(fields.helper, 'helper', suite);
  const analyst = readKeys(fields.analyst, 'analyst', suite);
  if (helper.sign !== analyst.sign && helper.seal !== analyst.seal) return helper;
  throw invalid(
    'helper',
    'analyst and helper must have different keys: someone who is both sees each release by itself',
  );
}

function readAllow(value: unknown, suite: Suite): string[] {
  const list = check.list(value, 'allow');
  if (list.length < 2 || list.length > MAX_ALLOWED) {
    throw invalid('allow', `allow must list 2 to ${MAX_ALLOWED} keys`);
  }
  return list.map((item, index) => {
    const key = check.text(item, `allow[${index}]`);
    const last = list[index - 1];
    if (publicBytes(suite, 'sign', key) === undefined || (index > 0 && !(String(last) < key))) {
      throw invalid(
        `allow[${index}]`,
        `allow must list keys of suite ${suite}, sorted and without duplicates`,
      );
    }
    return key;
  });
}

function invalid(field: string, message: string): PrivateMomentsError {
  return new PrivateMomentsError('invalid-session', message, { field });
}
