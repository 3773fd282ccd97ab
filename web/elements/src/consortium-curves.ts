import type { ConsortiumOutcome } from 'private-moments/research';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ConsortiumAnswer, ConsortiumQuestion } from './consortium-protocol.js';
import { dataOf, type ConsortiumSet } from './consortium-sets.js';
import { gridOf, settingsAlong, type Along, type Setting } from './consortium-setting.js';
import { OwnWorker } from './own-worker.js';

/** Every way along one axis, and at the present setting. */
export interface Curves {
  set: ConsortiumSet;
  along: Along;
  grid: readonly number[];
  /** At each place of the grid. */
  settings: readonly Setting[];
  setting: Setting;
  runs: number;
  correlations: readonly number[];
  /** Of each place of the grid, each way. */
  outcomes: readonly (readonly ConsortiumOutcome[])[];
  present: readonly ConsortiumOutcome[];
}

/** Keeps the curves of a consortium up to date in a worker; older ones stand until there are newer. */
export class ConsortiumCurves implements ReactiveController {
  curves: Curves | undefined;
  problem = '';

  readonly #host: ReactiveControllerHost;
  readonly #worker = new OwnWorker<ConsortiumQuestion, ConsortiumAnswer>(
    () => new Worker(new URL('./consortium-worker.js', import.meta.url), { type: 'module' }),
    (answer) => {
      this.#take(answer);
    },
    (reason) => {
      this.problem = reason;
      this.#host.requestUpdate();
    },
  );
  #asked = '';
  #id = 0;
  #pending: Omit<Curves, 'runs' | 'correlations' | 'outcomes' | 'present'> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#worker.end();
    this.#asked = '';
  }

  /** The same question again asks nothing. */
  ask(set: ConsortiumSet, along: Along, setting: Setting): void {
    const asked = JSON.stringify([set.id, along, setting]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    const settings = settingsAlong(along, setting);
    this.#pending = { set, along, grid: gridOf(along), settings, setting };
    this.#worker.post({
      id: ++this.#id,
      set: set.id,
      data: dataOf(set),
      settings: [...settings, setting],
    });
  }

  #take({ id, answer }: ConsortiumAnswer): void {
    // The answer to an older question is about another setting.
    if (id !== this.#id || this.#pending === undefined) return;
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
    this.#host.requestUpdate();
  }
}
