import { canonicalJson } from '../base/canonical.js';
import { checker, part, requireFormat, requireOptions } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import { packedLength } from '../study/features.js';
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

/** The public agreement of one collection, made from a study by who collects. */
export interface SessionJSON {
  format: typeof SESSION_FORMAT;
  /** The study's id. */
  study: string;
  mode: SessionMode;
  suite: Suite;
  /** 1, and one more for each time the same is tried again: every attempt costs privacy anew. */
  attempt: number;
  /** At most so many take part. */
  sites: number;
  /** As in the study. */
  honest: number;
  /** As in the study; split and ring only. */
  dropouts?: number;
  /** Ring only: so many must answer before masks are taken off. */
  threshold?: number;
  /** Numbers of a masked vector: packed second moments. */
  length: number;
  /** Split only. */
  analyst?: PublicRoleKeys;
  /** Split only. */
  helper?: PublicRoleKeys;
  /** Ring and correlated only. */
  coordinator?: PublicRoleKeys;
  /** Signing keys of those who may take part, sorted; absent: whoever joins. */
  allow?: string[];
}

export interface SessionOptions {
  /** Who collects: the analyst of mode `split`, the coordinator of the others. */
  collector: PublicRoleKeys | RoleKeys;
  /** Mode `split` only: who adds up the masks. */
  helper?: PublicRoleKeys | RoleKeys;
  /** Default 1. */
  attempt?: number;
  /** Default that of the collector's keys. */
  suite?: Suite;
  /** Signing keys of those who may take part. Default: anybody. */
  allow?: Iterable<string>;
}

const MOST_ALLOWED = 1 << 16;
const MODES: readonly SessionMode[] = ['split', 'ring', 'correlated'];
const IN_SESSION: TermsContext = { code: 'invalid-session', prefix: '' };

const FORMAT_CODES = { invalid: 'invalid-session', version: 'session-version' } as const;

const check = checker('invalid-session');

/** A session that was checked. Immutable; two with the same content have the same `id`. */
export class Session {
  readonly study: string;
  readonly mode: SessionMode;
  readonly suite: Suite;
  readonly attempt: number;
  readonly sites: number;
  readonly honest: number;
  /** So many may be missing from the sum. */
  readonly dropouts: number;
  readonly length: number;
  /** Fewer releases than this are not summed: `sites` less `dropouts`. */
  readonly least: number;
  /** How many must answer before masks are taken off: all, but in a ring that says otherwise. */
  readonly threshold: number;
  /** Ring only: those who drop out are made up for, as `threshold` is below `sites`. */
  readonly recovers: boolean;
  /** Who collects: analyst or coordinator. */
  readonly collector: PublicRoleKeys;
  readonly helper: PublicRoleKeys | undefined;
  readonly allow: ReadonlySet<string> | undefined;
  /** SHA-256 of the canonical JSON, 64 hex digits. */
  readonly id: string;
  readonly #json: SessionJSON;

  /** @internal Made by `createSession` and `parseSession`. */
  constructor(json: SessionJSON) {
    const collector = json.analyst ?? json.coordinator;
    if (collector === undefined) throw invalid('analyst', 'nobody collects');
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

  /** Bytes of a masked vector. */
  get payloadBytes(): number {
    return 8 * this.length;
  }

  /** Whether the owner of this signing key may take part. */
  admits(key: string): boolean {
    return this.allow?.has(key) ?? true;
  }
}

/**
 * The session of a study whose releases are summed behind masks.
 * @throws PrivateMomentsError `invalid-session`
 */
export function createSession(study: Study, options: SessionOptions): Session {
  requireOptions(options, ['collector', 'helper', 'attempt', 'suite', 'allow']);
  const { federation, id, features } = requireStudy(study);
  if (federation.mode === 'independent') {
    throw invalid('mode', 'a study with federation independent needs no session: send releases');
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
    length: packedLength(features.length),
    ...(mode === 'split' ? { analyst: collector } : { coordinator: collector }),
    ...(options.helper === undefined ? {} : { helper: publicKeys(options.helper) }),
    ...(allow === undefined ? {} : { allow }),
  });
}

/**
 * Reads a session from its JSON, as text or read already.
 * @throws PrivateMomentsError `session-version`, or `invalid-session` with the field at fault.
 */
export function parseSession(input: string | object): Session {
  const json = typeof input === 'string' ? parsed(input) : input;
  if (json instanceof Session) return json;
  requireFormat(json, SESSION_FORMAT, FORMAT_CODES);
  const keys = ['format', 'study', 'mode', 'suite', 'attempt', 'sites', 'honest', 'length'];
  const optional = ['dropouts', 'threshold', 'analyst', 'helper', 'coordinator', 'allow'];
  const given = check.object(json, 'session', keys, optional);
  const mode = check.oneOf(given.mode, 'mode', MODES);
  const isSplit = mode === 'split';
  const needed = [...keys, ...(isSplit ? ['analyst', 'helper'] : ['coordinator'])];
  if (mode !== 'correlated') needed.push('dropouts');
  if (mode === 'ring') needed.push('threshold');
  check.object(json, 'session', needed, ['allow']);
  const suite = check.oneOf(given.suite, 'suite', SUITES);
  const study = check.text(given.study, 'study');
  if (!/^[0-9a-f]{64}$/.test(study)) throw invalid('study', 'study must be the id of a study');
  return new Session({
    format: SESSION_FORMAT,
    study,
    mode,
    suite,
    attempt: check.wholeNumber(given.attempt, 'attempt', 1),
    ...readTerms(mode, given),
    length: check.wholeNumber(given.length, 'length', 1, packedLength(MAX_FEATURES)),
    ...(isSplit
      ? { analyst: readKeys(given.analyst, 'analyst', suite) }
      : { coordinator: readKeys(given.coordinator, 'coordinator', suite) }),
    ...(isSplit ? { helper: readHelper(given, suite) } : {}),
    ...(given.allow === undefined ? {} : { allow: readAllow(given.allow, suite) }),
  });
}

/**
 * A participant's check before anything else: that the session is one of the study it agreed to.
 * @throws PrivateMomentsError `wrong-study`, or `invalid-session` where the terms differ.
 */
export function requireSessionOf(study: Study, session: Session): void {
  const { id, federation, features } = requireStudy(study);
  requireSession(session);
  if (session.study !== id) {
    const message = 'the session belongs to another study: ask for the link again';
    throw new PrivateMomentsError('wrong-study', message, { field: 'study' });
  }
  const differs = (field: string): PrivateMomentsError =>
    invalid(field, `the session's ${field} is not what its study says`);
  if (federation.mode !== session.mode) throw differs('mode');
  if (federation.sites !== session.sites) throw differs('sites');
  if (federation.honest !== session.honest) throw differs('honest');
  if (dropoutsOf(federation) !== session.dropouts) throw differs('dropouts');
  if (federation.mode === 'ring' && federation.threshold !== session.threshold) {
    throw differs('threshold');
  }
  if (packedLength(features.length) !== session.length) throw differs('length');
}

function readTerms(
  mode: SessionMode,
  given: Record<string, unknown>,
): Pick<SessionJSON, 'sites' | 'honest' | 'dropouts' | 'threshold'> {
  switch (mode) {
    case 'split':
      return readSplitTerms(given, IN_SESSION);
    case 'ring':
      return readRingTerms(given, IN_SESSION);
    case 'correlated':
      return readSites(given, IN_SESSION, MAX_SITES);
  }
}

/** @throws PrivateMomentsError `invalid-session` for what neither of the above made */
export function requireSession(session: unknown): asserts session is Session {
  if (session instanceof Session) return;
  throw invalid('session', 'the session must come from createSession, parseSession or a link');
}

/** The public halves of a role's keys. @throws PrivateMomentsError `invalid-keys` */
export function publicKeys(keys: PublicRoleKeys | RoleKeys): PublicRoleKeys {
  const half = (name: 'sign' | 'seal'): string => {
    const key = part(keys, name);
    const found = typeof key === 'string' ? key : part(key, 'public');
    if (typeof found === 'string') return found;
    const message = `the keys have no ${name}`;
    throw new PrivateMomentsError('invalid-keys', message, { field: `keys.${name}` });
  };
  return { sign: half('sign'), seal: half('seal') };
}

/** One name for a set of participants: SHA-256 of their pids, sorted, one after the other. */
export function digestOfSet(pids: readonly string[]): string {
  return hashOf([...pids].sort().join(''));
}

function suiteOf(key: string): Suite {
  const suite = SUITES.find((known) => publicBytes(known, 'sign', key) !== undefined);
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
  const given = check.object(value, field, ['sign', 'seal']);
  const sign = check.text(given.sign, `${field}.sign`);
  const seal = check.text(given.seal, `${field}.seal`);
  if (publicBytes(suite, 'sign', sign) === undefined) {
    throw invalid(`${field}.sign`, `${field}.sign is not a key to sign with of suite ${suite}`);
  }
  if (publicBytes(suite, 'agree', seal) === undefined) {
    throw invalid(`${field}.seal`, `${field}.seal is not a key to seal to of suite ${suite}`);
  }
  return { sign, seal };
}

function readHelper(given: Record<string, unknown>, suite: Suite): PublicRoleKeys {
  const helper = readKeys(given.helper, 'helper', suite);
  const analyst = readKeys(given.analyst, 'analyst', suite);
  if (helper.sign !== analyst.sign && helper.seal !== analyst.seal) return helper;
  throw invalid(
    'helper',
    'analyst and helper must be two: who is both sees every release by itself',
  );
}

function readAllow(value: unknown, suite: Suite): string[] {
  const list = check.list(value, 'allow');
  if (list.length < 2 || list.length > MOST_ALLOWED) {
    throw invalid('allow', `allow must list 2 to ${MOST_ALLOWED} keys`);
  }
  return list.map((item, index) => {
    const key = check.text(item, `allow[${index}]`);
    const last = list[index - 1];
    if (publicBytes(suite, 'sign', key) === undefined || (index > 0 && !(String(last) < key))) {
      throw invalid(`allow[${index}]`, `allow must list keys of suite ${suite}, sorted, each once`);
    }
    return key;
  });
}

function invalid(field: string, message: string): PrivateMomentsError {
  return new PrivateMomentsError('invalid-session', message, { field });
}
