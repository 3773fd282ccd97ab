import type { Study } from 'private-moments';
import { bound, count } from 'private-moments/words';
import { numberIn } from '../../controls/input-values.js';
import type { DesignerForm } from '../designer-form.js';
import type { Along } from '../designer-protocol.js';
import { USUAL_ROWS, usualPlan, type Draft, type Plan, type Problem } from '../draft.js';
import {
  EPSILONS,
  pointAt,
  pointOf,
  withPoint,
  type ForecastPoint,
} from '../../figures/forecast-surface.js';
import { sizesAround, type Forecaster } from '../forecaster.js';
import { plannedFor, sizeOf, type Question } from './forecast-question.js';

export type Axis = 'epsilon' | 'rows' | 'sites';

/** What the panel forecasts: a study, or the problems that keep it from being one. */
export interface Subject {
  draft: Draft;
  /** The study, whatever its title. */
  study: Study | undefined;
  problems: readonly Problem[];
}

/** The curve shown: what is expected along one axis. */
export interface Curve {
  grid: readonly number[];
  points: readonly (ForecastPoint | undefined)[];
  present: number;
}

/** What the parts of the panel show: the study, the axis, and what is expected along it. */
export class Outlook {
  readonly forecaster: Forecaster;
  subject: Subject | undefined;
  /** The last study that could be forecast, shown pale while a field is wrong. */
  last: { draft: Draft; study: Study } | undefined;
  axis: Axis = 'epsilon';

  constructor(forecaster: Forecaster) {
    this.forecaster = forecaster;
  }

  get plan(): Plan {
    return this.subject?.draft.plan ?? usualPlan();
  }

  /** What the curve is over, besides epsilon. */
  get along(): Along {
    return this.axis === 'sites' ? 'sites' : 'rows';
  }

  questionOf(draft: Draft): Question {
    const { correlations, between, withinViews, offCentre, spread } = this.plan;
    return {
      draft,
      truths: correlations,
      assumptions: { withinViews, offCentre, spread },
      between,
      along: this.along,
    };
  }

  /** The planned correlations; empty for a study without views, which is about the covariance. */
  get planned(): readonly number[] {
    const { draft, study } = this.last ?? {};
    if (draft !== undefined && study !== undefined)
      return plannedFor(study, this.questionOf(draft));
    return this.subject?.draft.views.length === 0 ? [] : this.plan.correlations;
  }

  get curve(): Curve {
    const draft = (this.last ?? this.subject)?.draft;
    const { surface, forecast, isBehind } = this.forecaster;
    const own = draft === undefined ? NaN : this.sizeIn(draft);
    const size = Number.isFinite(own) && own >= 1 ? own : USUAL_ROWS;
    const sizes = sizesAround(this.along, size);
    const epsilon = draft?.epsilon ?? 1;
    const isEpsilon = this.axis === 'epsilon';
    const grid = isEpsilon ? EPSILONS : sizes;
    const present = isEpsilon ? epsilon : size;
    const points = isEpsilon
      ? surface.alongEpsilon(size, sizes)
      : surface.alongSize(epsilon, sizes);
    const [first = 0, last = 0] = [grid[0], grid.at(-1)];
    // The exact forecast of the present choice takes part in the curve, so that all numbers agree.
    return forecast === undefined || isBehind || present < first || present > last
      ? { grid, points, present }
      : { ...withPoint(grid, points, present, pointOf(forecast)), present };
  }

  /** The draft's number of sites or of rows, whichever the curve is over. */
  sizeIn(draft: Draft): number {
    return this.along === 'sites' ? numberIn(draft.sites) : sizeOf(draft);
  }

  /** What is expected of the present choice. */
  get point(): ForecastPoint | undefined {
    const { forecast, isBehind } = this.forecaster;
    if (forecast !== undefined && !isBehind) return pointOf(forecast);
    const { grid, points, present } = this.curve;
    return pointAt(grid, points, present) ?? (forecast && pointOf(forecast));
  }

  /** The present choice in words: "At ε = 1", "With 12 sites". */
  get present(): string {
    const { draft } = this.last ?? {};
    if (draft === undefined || this.axis === 'epsilon')
      return `At ε = ${bound(draft?.epsilon ?? 1)}`;
    if (this.axis === 'sites')
      return `With ${draft.sites} ${draft.sites === '1' ? 'site' : 'sites'}`;
    return draft.unit === 'row'
      ? `With ${count(draft.rows)} rows per site`
      : `With ${draft.sites} participants`;
  }
}

/** Changes what is planned for, which somebody has then looked at. */
export function replan(form: DesignerForm, change: Partial<Plan>): void {
  form.change({ plan: { ...form.draft.plan, ...change, isUnseen: false } });
}
