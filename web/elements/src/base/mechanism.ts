import { mechanisms } from 'private-moments';
import {
  contentOf,
  MECHANISM_FACTS,
  MECHANISM_LAWS,
  releasedFeatures,
} from 'private-moments/internal';
import type { Mechanism, MechanismInfo, Release, Study } from 'private-moments';
import { plural } from 'private-moments/words';
import { noisyCount } from './packed.js';

/** Whether the releases of a study hold directions rather than noisy second moments. */
export function givesDirections({ mechanism }: Study): boolean {
  return contentOf(mechanism) === 'components';
}

/** What a release holds: "65 sums", "3 directions". */
export function whatComesOut(study: Study): string {
  return givesDirections(study)
    ? plural(study.mechanism.components ?? study.features.length, 'direction')
    : plural(noisyCount(releasedFeatures(study), study.neighbours === 'replace-one'), 'sum');
}

/** What makes a release private, as the end of a sentence about what the rows become or became. */
export function withNoise(study: Study, verb: 'gets' | 'got'): string {
  return givesDirections(study)
    ? `made partly at random, so that no single ${study.unit === 'row' ? 'row' : 'file'} decides them`
    : `and each sum ${verb} fresh random noise`;
}

/** The registry's description of a mechanism; undefined if the core cannot be loaded. */
export async function infoOf({ name }: Mechanism): Promise<MechanismInfo | undefined> {
  try {
    return (await mechanisms()).find((info) => info.name === name);
  } catch {
    return undefined;
  }
}

/** What leaves besides the numbers of `whatComesOut`, as items of a list; `rows` is how rows are called. */
export function whatElseLeaves(study: Study, rows = 'rows'): string[] {
  const choosing: Record<Study['clipping'], string[]> = {
    fixed: [],
    adaptive: [`further noisy counts of long ${rows}, which set the longest length`],
    centred: [
      `further noisy sums, sums of squares and counts, which set the centre, the scale and the longest length of ${rows}`,
    ],
  };
  const areCounted = study.unit === 'row' && study.neighbours === 'replace-one';
  return [
    ...choosing[study.clipping],
    ...(areCounted ? [`the number of ${rows}, exact`] : []),
    ...(study.federation.mode === 'independent'
      ? ['the study’s fingerprint', 'how the noise was made and what it promises']
      : ['the identifiers of the session and of the sender']),
  ];
}

/** How randomness enters, in a sentence. */
export function lawOf({ name }: Mechanism): string {
  return MECHANISM_LAWS[name];
}

/** Whether the order of the directions has no meaning: they are a basis of their span. */
export function areUnordered({ name }: Mechanism): boolean {
  return MECHANISM_FACTS[name].directions?.ordered === false;
}

/** How the arithmetic affects the proof. */
export function arithmetic({ content, numerics }: Release): string {
  if (numerics === 'exact') {
    return content === 'moments'
      ? 'It is drawn exactly, in whole numbers, from this computer’s random generator.'
      : 'It is drawn exactly and then rounded, from this computer’s random generator.';
  }
  return content === 'moments'
    ? 'The proof is for real numbers. Sums are exact, but noise is rounded to whole numbers before several sites’ shares of it are added up, which the proof does not cover.'
    : 'The proof is for real numbers. Sums are exact, but the directions are computed in floating point, which only approximates real numbers. The proof does not cover what the difference could reveal.';
}

/** The options of a mechanism in words, defaults included. */
export function optionsOf(mechanism: Mechanism): string[] {
  const values = mechanism as unknown as Record<string, string | number>;
  return MECHANISM_FACTS[mechanism.name].options.map(({ name }) => {
    const value = values[name] ?? '';
    if (typeof value === 'number') return plural(value, name.replace(/s$/, ''));
    // "rotation invariant" says what it is about, "rayleigh" does not.
    return value.includes('-') ? value.replaceAll('-', ' ') : `${name} ${value}`;
  });
}
