import { openData, type Data } from '../data/data.js';
import type { Engine, Gate } from '../intake/engine.js';
import { PrivateMomentsError } from '../base/errors.js';
import { planOf } from '../core/plan.js';
import { pickGuarantee } from '../study/envelope.js';
import type { Study } from '../study/study.js';
import type { SynthesisOrder, SynthesisOutcome } from './protocol.js';
import { readRequest, type SynthesizeOptions } from './options.js';
import { drawnFigures, featurePairs, releasedFigures, MAX_CANONICAL } from './preservation.js';
import { modelOf, spectrumShape } from './released.js';
import type { SyntheticParts } from './synthetic.js';

/**
 * The part of `synthesize` that is loaded on demand.
 * @param synthesis the workers of this call only; it ends them
 */
export async function perform(
  synthesis: Engine<SynthesisOrder, SynthesisOutcome>,
  study: Study,
  data: Data,
  options: SynthesizeOptions,
  gate: Gate | undefined,
): Promise<SyntheticParts> {
  requireAlone(study);
  const request = readRequest(study, options);
  const { terms, rows, seed } = request;
  const { signal, onProgress } = options;
  const plan = planOf(study, options);
  const source = openData(data, plan);
  if (gate !== undefined && source.kind === 'values' && options.dataSet === undefined) {
    const message =
      'a ledger can recognise rows that are not a file only by name; set the option dataSet';
    throw new PrivateMomentsError('unsupported-option', message, { field: 'dataSet' });
  }
  try {
    if (request.publicRows !== undefined) await readPublic(request.publicRows);
    const isSpectrum = terms.task === 'spectrum';
    const pairs = isSpectrum ? [] : featurePairs(study);
    const draw = { rows, seed, viewPairs: pairs, components: MAX_CANONICAL };
    const order = { task: 'private', terms, draw } as const;
    const outcome = await synthesis.run({ order, plan, source, gate, signal, onProgress });
    if (outcome.task !== 'private') throw new PrivateMomentsError('internal', 'no rows were read');
    const { version, local, synthesis: raw } = outcome;
    const model = modelOf(study, terms, request.source, raw);
    const { id, title, unit, neighbours } = study;
    const scatter = raw.steps.at(-1);
    return {
      study,
      ...(isSpectrum ? { shape: spectrumShape(model) } : {}),
      guarantee: pickGuarantee(raw.guarantee),
      origin: {
        library: `private-moments/${version}`,
        study: { id, title, unit, neighbours },
        releases: 1,
        noise: scatter?.noise ?? 'none',
      },
      options: request.options,
      values: raw.drawn.values,
      seed,
      narrowed: Array.from(raw.drawn.narrowed, (index) => study.columns[index]?.name ?? ''),
      // The errors of a spectrum are not simulated.
      released: (isSpectrum ? drawnFigures : releasedFigures)(raw.released),
      drawn: drawnFigures(raw.drawn),
      model,
      local,
    };
  } finally {
    await synthesis.retire();
  }

  async function readPublic(rows: Data): Promise<void> {
    try {
      const order = { task: 'public', terms } as const;
      const job = { order, plan, source: openData(rows, plan), signal, onProgress: undefined };
      await synthesis.run(job);
    } catch (error) {
      throw aboutPublicRows(error);
    }
  }
}

/** The same error, saying that it is about the public rows, unless it is about an option. */
function aboutPublicRows(error: unknown): unknown {
  if (!(error instanceof PrivateMomentsError) || error.field !== undefined) return error;
  if (error.code === 'cancelled') return error;
  const { code, message, column, row, cause } = error;
  const place = { column, row, field: 'projection.rows' };
  return new PrivateMomentsError(code, `the public rows: ${message}`, place, cause);
}

/** A single data holder cannot add noise that is shared among sites. */
function requireAlone({ federation }: Study): void {
  if (federation.mode === 'independent') return;
  const message =
    'synthesize works for one data holder, so the federation of the study must be independent';
  throw new PrivateMomentsError('invalid-federation', message, { field: 'federation.mode' });
}
