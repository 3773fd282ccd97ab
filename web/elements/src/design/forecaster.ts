import type { Forecast, Study, StudyDefinition } from 'private-moments';
import type { ReactiveControllerHost } from 'lit';
import type { Answer } from '../base/answer.js';
import type {
  AdviceInWords,
  Along,
  AssumedOptions,
  FromDesignerWorker,
  Proposal,
  ToDesignerWorker,
  Variant,
} from './designer-protocol.js';
import {
  EPSILONS,
  ForecastSurface,
  neighboursOf,
  rowsAround,
  sitesAround,
  type ForecastPoint,
} from '../figures/forecast-surface.js';
import { evictOldest } from '../base/evict-oldest.js';
import { WorkerController } from '../base/worker-controller.js';

export interface Design {
  study: Study;
  /** Rows of each site, or the number of participants if each one makes a release of its own. */
  rows: number;
  sites: number;
  assumed: AssumedOptions;
  /** What the surface is over, besides epsilon. */
  along: Along;
  /** The study with one change each, to compare. */
  variants: readonly Variant[];
  /** Ways to share the noise, to compare. */
  modes: readonly StudyDefinition[];
}

const MOST_SURFACES = 4;

/**
 * Keeps the forecast of a design up to date, computed in a worker. The surface of errors over epsilon
 * and rows is filled once per study, so that moving a slider only reads from it.
 */
export class Forecaster extends WorkerController<ToDesignerWorker, FromDesignerWorker> {
  /** The forecast of the present design, or of an earlier one while the worker computes. */
  forecast: Forecast | undefined;
  /** The points of the latest variants, in their order; empty until they are computed. */
  variants: readonly (ForecastPoint | null)[] = [];
  /** Whether the variants are of an earlier design. */
  areVariantsBehind = false;
  advice: AdviceInWords | undefined;
  /** Noise of each way to share it, divided by that of one trusted computer. */
  noise: readonly (number | null)[] = [];
  /** Why there is no forecast of the present design. */
  problem = '';
  /** Whether the results are of an earlier design. */
  isBehind = false;
  surface = new ForecastSurface();

  readonly #surfaces = new Map<string, ForecastSurface>();
  #files = 0;
  #modesDone = '';
  #modesPending = '';
  #proposals = new Map<number, (answer: Answer<Proposal>) => void>();

  constructor(host: ReactiveControllerHost) {
    super(
      host,
      () => new Worker(new URL('./designer-worker.js', import.meta.url), { type: 'module' }),
    );
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    this.#giveUpProposals('The page was closed before the file was read. Choose it again.');
  }

  /** Asks the worker for what is still missing for a design; does nothing for the same design. */
  ask(design: Design): void {
    const { study, rows, sites, assumed, along, modes, variants } = design;
    const definition: StudyDefinition = study.toJSON();
    if (!this.isNewQuestion(JSON.stringify([definition, rows, sites, assumed, along]))) return;
    // Everything besides epsilon and rows that the errors depend on, so not the title.
    const { delta } = study.privacy;
    const about = {
      ...definition,
      title: '',
      description: '',
      organizer: '',
      contact: '',
      privacy: { epsilon: 1, delta },
    };
    // The worker changes the number of sites itself, but it keeps the share of honest ones.
    const other = along === 'rows' ? { sites } : { rows, federation: shareOf(about.federation) };
    this.surface = this.#surfaceOf(JSON.stringify([{ ...about, ...other }, along, assumed]));
    const id = ++this.id;
    const modesWanted = JSON.stringify([modes, sites]);
    this.#modesPending = modesWanted;
    this.isBehind = true;
    this.areVariantsBehind = variants.length > 0;
    if (!this.areVariantsBehind) this.variants = [];
    this.worker.post({
      type: 'ask',
      id,
      definition,
      rows,
      sites,
      assumed,
      along,
      points: missingPoints(
        this.surface,
        study.privacy.epsilon,
        along,
        along === 'rows' ? rows : sites,
      ),
      variants: [...variants],
      modes: modesWanted === this.#modesDone ? [] : [...modes],
    });
  }

  /** Proposes columns and bounds from a file that is public or made up, read in the worker. */
  propose(file: Blob): Promise<Answer<Proposal>> {
    const id = ++this.#files;
    return new Promise((resolve) => {
      this.#proposals.set(id, resolve);
      this.worker.post({ type: 'example', id, file });
    });
  }

  #surfaceOf(key: string): ForecastSurface {
    const existing = this.#surfaces.get(key);
    if (existing !== undefined) return existing;
    const surface = new ForecastSurface();
    this.#surfaces.set(key, surface);
    evictOldest(this.#surfaces, MOST_SURFACES);
    return surface;
  }

  /** Forgets the design and its forecast. */
  forget(): void {
    this.isNewQuestion('');
    this.id += 1;
    this.surface = new ForecastSurface();
    this.forecast = undefined;
    this.advice = undefined;
    this.noise = [];
    this.#modesDone = '';
    this.variants = [];
    this.areVariantsBehind = false;
    this.isBehind = false;
    this.problem = '';
  }

  protected override fail(reason: string): void {
    this.isBehind = false;
    this.areVariantsBehind = false;
    this.forecast = undefined;
    this.problem = reason;
    this.#giveUpProposals(reason);
  }

  #giveUpProposals(reason: string): void {
    for (const answer of this.#proposals.values()) answer({ error: reason });
    this.#proposals.clear();
  }

  protected override take(message: FromDesignerWorker): void {
    if (message.type === 'example') {
      this.#proposals.get(message.id)?.(message.answer);
      this.#proposals.delete(message.id);
      return;
    }
    if (message.id !== this.id && message.type !== 'modes') return;
    switch (message.type) {
      case 'forecast':
        this.isBehind = false;
        if ('error' in message.answer) {
          this.forecast = undefined;
          this.problem = message.answer.error;
        } else {
          this.forecast = message.answer.value;
          this.problem = '';
        }
        return;
      case 'advice':
        this.advice = 'error' in message.answer ? undefined : message.answer.value;
        return;
      case 'modes':
        this.noise = message.noise;
        if (message.id === this.id) this.#modesDone = this.#modesPending;
        return;
      case 'point':
        this.surface.set(message.epsilon, message.size, message.point);
        return;
      case 'variants':
        this.variants = message.points;
        this.areVariantsBehind = false;
        return;
    }
  }
}

/** How a federation depends on its number of sites: only by shares of it. */
function shareOf(federation: StudyDefinition['federation']): unknown {
  if (federation?.sites === undefined || federation.mode === 'independent') return federation?.mode;
  const { mode, sites, honest = sites } = federation;
  const dropouts = mode === 'correlated' ? 0 : (federation.dropouts ?? 0);
  return [mode, honest / sites, dropouts / sites];
}

/** The sizes at which the surface is computed. */
export function sizesAround(along: Along, size: number): number[] {
  return along === 'rows' ? rowsAround(size) : sitesAround(size);
}

/** The points still missing from the surface: those of the present curves first, then all others. */
function missingPoints(
  surface: ForecastSurface,
  epsilon: number,
  along: Along,
  size: number,
): (readonly [number, number])[] {
  const grid = sizesAround(along, size);
  const near = neighboursOf(grid, size);
  const nearEpsilon = neighboursOf(EPSILONS, epsilon);
  const distance = (e: number, r: number): number =>
    (near.includes(r) ? 0 : 1) * (nearEpsilon.includes(e) ? 0 : 1);
  // Ends and middle first, so that curves take shape early.
  const rank = (index: number, length: number): number =>
    index % (length - 1) === 0 || index === (length - 1) / 2 ? 0 : index % 2 === 0 ? 1 : 2;
  return EPSILONS.flatMap((e, i) =>
    grid.map((r, j) => ({
      at: [e, r] as const,
      order:
        10 * distance(e, r) + (near.includes(r) ? rank(i, EPSILONS.length) : rank(j, grid.length)),
    })),
  )
    .filter(({ at: [e, r] }) => !surface.has(e, r))
    .sort((a, b) => a.order - b.order)
    .map(({ at }) => at);
}
