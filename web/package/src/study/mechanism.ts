import type { Check } from '../base/check.js';
import {
  MECHANISM_FACTS,
  type MechanismFacts,
  type MechanismOption,
} from '../generated/mechanisms.js';
import type { Clipping, Content, FederationMode, Mechanism, MechanismName, Unit } from './types.js';

/** Every mechanism that a study can name, the default for delta > 0 first. */
export const MECHANISMS = Object.keys(MECHANISM_FACTS) as readonly MechanismName[];

/** The mechanisms that need a delta above 0. */
export const APPROXIMATE: readonly MechanismName[] = mechanismsWith(({ pure }) => !pure);

/** The names of those whose facts pass a test, in the order of the registry. */
export function mechanismsWith(test: (facts: MechanismFacts) => boolean): MechanismName[] {
  return MECHANISMS.filter((name) => test(MECHANISM_FACTS[name]));
}

/** The mechanism of a study that does not name one. */
export function defaultMechanism(delta: number): MechanismName {
  const [first] = mechanismsWith(({ pure }) => pure === (delta === 0));
  return first ?? 'gaussian';
}

/** The ways to limit long rows that a study could name. The first is the default if it states no row norm. */
export function clippingsOf(name: MechanismName, unit: Unit, mode: FederationMode): Clipping[] {
  const { adaptiveClipping, centring } = MECHANISM_FACTS[name];
  if (unit !== 'row' || mode !== 'independent') return ['fixed'];
  return [
    ...(centring ? (['centred'] as const) : []),
    ...(adaptiveClipping ? (['adaptive'] as const) : []),
    'fixed',
  ];
}

export function contentOf({ name }: Pick<Mechanism, 'name'>): Content {
  return MECHANISM_FACTS[name].content;
}

/** Whether the mechanism releases a value with each direction. */
export function hasValues({ name }: Pick<Mechanism, 'name'>): boolean {
  return MECHANISM_FACTS[name].directions?.withValues ?? false;
}

/**
 * Checks the options of the mechanism `name` and fills in the defaults.
 * @param features number of features of the study, which limits `components`.
 * @param countCheck the check for `components`, which may have another error code.
 */
export function readMechanism(
  value: unknown,
  name: MechanismName,
  features: number,
  check: Check,
  countCheck: Check,
): Mechanism {
  const { directions, options } = MECHANISM_FACTS[name];
  const optional = ['components', ...options.map((option) => option.name)];
  const fields = check.object(value, 'mechanism', ['name'], optional);
  const choices: Record<string, string> = {};
  const numbers: Record<string, number> = {};
  for (const option of options) {
    if ('choices' in option) choices[option.name] = readChoice(fields[option.name], option, check);
    else numbers[option.name] = readNumber(fields[option.name], option, check);
  }
  // All directions of a basis span the whole space, so sampling them would reveal nothing.
  const max = directions?.fewerThanFeatures ? features - 1 : features;
  const fallback = directions?.needsCount === false ? features : undefined;
  const wanted = fields.components === undefined ? fallback : fields.components;
  const components =
    directions === null && wanted === undefined
      ? {}
      : { components: countCheck.wholeNumber(wanted, 'mechanism.components', 1, max) };
  return { name, ...choices, ...components, ...numbers } as Mechanism;
}

function readChoice(
  value: unknown,
  { name, choices }: Extract<MechanismOption, { choices: unknown }>,
  check: Check,
): string {
  return check.oneOf(value === undefined ? choices[0] : value, `mechanism.${name}`, choices);
}

function readNumber(
  value: unknown,
  { name, least, most, fallback }: Extract<MechanismOption, { least: unknown }>,
  check: Check,
): number {
  const number = value === undefined ? fallback : value;
  return check.wholeNumber(number, `mechanism.${name}`, least, most);
}
