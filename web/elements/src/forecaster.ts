import type { Forecast, Study, StudyDefinition } from 'private-moments';
import type { ReactiveControllerHost } from 'lit';
import type {
  AdviceInWords,
  Answer,
  AssumedOptions,
  FromDesignerWorker,
  Proposal,
  ToDesignerWorker,
} from './designer-protocol.js';
import { EPSILONS, ForecastSurface, neighboursOf, rowsAround } from './forecast-surface.js';
import { forgetOldest } from './forget-oldest.js';
import { WorkerController } from './worker-controller.js';

export interface Design {
  study: Study;
  /** Of each site; where each participant is a release of its own, how many of them. */
  rows: number;
  sites: number;
  assumed: AssumedOptions;
  /** Ways to share the noise, to be compared. */
  modes: readonly StudyDefinition[];
}

const MOST_SURFACES = 4;

/**
 * Keeps forecasts of a design up to date in a worker. Its surface of errors over epsilon and rows is
 * filled once for a study, so that a step of a slider only reads it off.
 */
export class Forecaster extends WorkerController<ToDesignerWorker, FromDesignerWorker> {
  /** Of the present design; an older one stands until it is there. */
  forecast: Forecast | undefined;
  /** What it was made for. */
  epsilon = NaN;
  advice: AdviceInWords | undefined;
  /** Noise of each way to share it, over that of one trusted computer. */
  noise: readonly (number | null)[] = [];
  /** Why there is no forecast of the present design. */
  problem = '';
  /** Whether what is shown is of an older design. */
  isBehind = false;
  surface = new ForecastSurface();

  readonly #surfaces = new Map<string, ForecastSurface>();
  #files = 0;
  #epsilon = NaN;
  #modesKnown = '';
  #modesAsked = '';
  #proposals = new Map<number, (answer: Answer<Proposal>) => void>();

  constructor(host: ReactiveControllerHost) {
    super(
      host,
      () => new Worker(new URL('./designer-worker.js', import.meta.url), { type: 'module' }),
    );
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    this.#giveUpProposals('The page was left before the file was read. Choose it again.');
  }

  /** Asks for what is not known yet of a design; the same design again asks nothing. */
  ask(design: Design): void {
    const { study, rows, sites, assumed, modes } = design;
    const definition: StudyDefinition = study.toJSON();
    if (!this.isOther(JSON.stringify([definition, rows, sites, assumed]))) return;
    // What the errors are a function of, besides epsilon and rows; the title is not.
    const { delta } = study.privacy;
    const about = {
      ...definition,
      title: '',
      description: '',
      organizer: '',
      contact: '',
      privacy: { epsilon: 1, delta },
    };
    this.surface = this.#surfaceOf(JSON.stringify([about, sites, assumed]));
    const id = ++this.id;
    this.#epsilon = study.privacy.epsilon;
    const modesWanted = JSON.stringify([modes, sites]);
    this.#modesAsked = modesWanted;
    this.isBehind = true;
    this.worker.post({
      type: 'ask',
      id,
      definition,
      rows,
      sites,
      assumed,
      points: wanted(this.surface, study.privacy.epsilon, rows),
      modes: modesWanted === this.#modesKnown ? [] : [...modes],
    });
  }

  /** Columns and bounds proposed from a file that is public or made up. It is read in the worker. */
  propose(file: Blob): Promise<Answer<Proposal>> {
    const id = ++this.#files;
    return new Promise((resolve) => {
      this.#proposals.set(id, resolve);
      this.worker.post({ type: 'example', id, file });
    });
  }

  #surfaceOf(key: string): ForecastSurface {
    const known = this.#surfaces.get(key);
    if (known !== undefined) return known;
    const surface = new ForecastSurface();
    this.#surfaces.set(key, surface);
    forgetOldest(this.#surfaces, MOST_SURFACES);
    return surface;
  }

  protected override fail(reason: string): void {
    this.isBehind = false;
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
          this.epsilon = this.#epsilon;
          this.problem = '';
        }
        return;
      case 'advice':
        this.advice = 'error' in message.answer ? undefined : message.answer.value;
        return;
      case 'modes':
        this.noise = message.noise;
        if (message.id === this.id) this.#modesKnown = this.#modesAsked;
        return;
      case 'point':
        this.surface.set(message.epsilon, message.rows, message.point);
        return;
    }
  }
}

/** Points that are not known yet: those the present curves need, then all others. */
function wanted(
  surface: ForecastSurface,
  epsilon: number,
  rows: number,
): (readonly [number, number])[] {
  const grid = rowsAround(rows);
  const near = neighboursOf(grid, rows);
  const nearEpsilon = neighboursOf(EPSILONS, epsilon);
  const distance = (e: number, r: number): number =>
    (near.includes(r) ? 0 : 1) * (nearEpsilon.includes(e) ? 0 : 1);
  // Ends and middle first, so that a curve has its shape early.
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
