import type { ConsortiumOutcome } from 'private-moments-research';
import type { ReactiveControllerHost } from 'lit';
import { WorkerController } from 'private-moments/internal/elements';
import type { ConsortiumAnswer, ConsortiumQuestion } from './consortium-protocol.js';
import { dataOf, type ConsortiumSet } from './consortium-sets.js';
import { gridOf, settingsAlong, type Along, type Setting } from './consortium-setting.js';

/** The results of every way along one axis, and at the present setting. */
export interface Curves {
  set: ConsortiumSet;
  along: Along;
  grid: readonly number[];
  /** The setting at each point of the grid. */
  settings: readonly Setting[];
  setting: Setting;
  runs: number;
  correlations: readonly number[];
  /** The outcome of each way at each point of the grid. */
  outcomes: readonly (readonly ConsortiumOutcome[])[];
  present: readonly ConsortiumOutcome[];
}

/** Keeps the curves of a consortium up to date in a worker; old curves stay until there are new ones. */
export class ConsortiumCurves extends WorkerController<ConsortiumQuestion, ConsortiumAnswer> {
  curves: Curves | undefined;
  problem = '';

  #pending: Omit<Curves, 'runs' | 'correlations' | 'outcomes' | 'present'> | undefined;

  constructor(host: ReactiveControllerHost) {
    super(
      host,
      () => new Worker(new URL('./consortium-worker.js', import.meta.url), { type: 'module' }),
    );
  }

  /** Asks for the curves of a setting; does nothing for the same question. */
  ask(set: ConsortiumSet, along: Along, setting: Setting): void {
    if (!this.isNewQuestion(JSON.stringify([set.id, along, setting]))) return;
    const settings = settingsAlong(along, setting);
    this.#pending = { set, along, grid: gridOf(along), settings, setting };
    this.worker.post({
      id: ++this.id,
      set: set.id,
      data: dataOf(set),
      settings: [...settings, setting],
    });
  }

  protected override take({ id, answer }: ConsortiumAnswer): void {
    if (id !== this.id || this.#pending === undefined) return;
    if ('error' in answer) {
      this.problem = answer.error;
    } else {
      const { runs, correlations, outcomes } = answer.value;
      this.problem = '';
      this.curves = {
        ...this.#pending,
        ...{ runs, correlations },
        outcomes: outcomes.slice(0, -1),
        present: outcomes.at(-1) ?? [],
      };
    }
  }

  protected override fail(reason: string): void {
    this.problem = reason;
  }
}
