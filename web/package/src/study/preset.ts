import { checker, didYouMean } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { StudyDefinition } from './types.js';

/** Published schemes that studies can name. */
export const STUDY_PRESETS = ['cape-pca', 'cape-cca'] as const;

export type StudyPreset = (typeof STUDY_PRESETS)[number];

export interface StudyPresetOptions {
  /** Number of sites; all of them must answer. */
  sites: number;
  /** Minimum number of sites that do not collude. Default: all of them, as published. */
  honest?: number;
  /** Number of components or pairs that the study is about. */
  components?: number;
  /**
   * Default `joint`: the promise is about all messages together. `paper`: as published, about one message alone;
   * the guarantee then states the larger delta of all messages.
   */
  calibration?: 'joint' | 'paper';
}

const check = checker('invalid-federation');

/**
 * What makes a study a published scheme, to be spread into a definition: `cape-pca` (Imtiaz and Sarwate 2018)
 * and `cape-cca` (Imtiaz and Sarwate 2019). In both, sites send second moments with Gaussian noise on and above the
 * diagonal and with correlated noise that cancels in the sum; `pca` or `cca` of the sum is the result.
 *
 * @throws PrivateMomentsError `unsupported-option` for another name, `invalid-federation` for other options
 *
 * @example
 * ```ts
 * const study = defineStudy({
 *   title: 'Sleep and mood',
 *   columns: [
 *     { name: 'sleep', type: 'number', min: 0, max: 14 },
 *     { name: 'mood', type: 'number', min: 0, max: 10 },
 *   ],
 *   privacy: { epsilon: 1, delta: 1e-6 },
 *   ...studyPreset('cape-pca', { sites: 10 }),
 * });
 * ```
 */
export function studyPreset(
  name: StudyPreset,
  options: StudyPresetOptions,
): Pick<StudyDefinition, 'mechanism' | 'clipping' | 'federation'> {
  if (!STUDY_PRESETS.includes(name)) {
    const given: unknown = name;
    const message = `a preset is one of ${STUDY_PRESETS.join(', ')}${didYouMean(String(given), STUDY_PRESETS)}`;
    throw new PrivateMomentsError('unsupported-option', message, { field: 'preset' });
  }
  check.object(options, 'options', ['sites'], ['honest', 'components', 'calibration']);
  const { sites, honest = sites, components, calibration = 'joint' } = options;
  return {
    mechanism: {
      name: 'gaussian',
      shape: 'upper-triangle',
      ...(components === undefined ? {} : { components }),
    },
    clipping: 'fixed',
    federation: { mode: 'correlated', sites, honest, ratio: 1, calibration },
  };
}
