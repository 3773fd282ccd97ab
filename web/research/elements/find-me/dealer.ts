import { defineStudy, type Guarantee, type Release, type Study } from 'private-moments';
import {
  intakeOptions,
  loadCore,
  makeRelease,
  planOf,
  unwrap,
  type ReleaseCore,
} from 'private-moments/internal/core';
import { repeatReleases } from 'private-moments-research';
import { bestGuess } from 'private-moments/words';
import { COLUMNS, PATIENTS } from './patients.js';

export const DELTA = 1e-6;

/** Two releases, and whether the second is without the patient in question. */
export interface Dealt {
  monday: Release;
  tuesday: Release;
  isOut: boolean;
  /** The constant coordinate of every row, in scaled units. */
  constant: number;
}

/** What somebody who knows all patients needs for the best bet about one of them. */
interface Rule {
  /** The sums over all patients, in scaled units. */
  sums: Float64Array;
  /** What the patient adds to each sum. */
  part: Float64Array;
  /** One over the variance of the noise in each sum. */
  weights: Float64Array;
}

/**
 * Makes the files of *Find me* with the code that makes releases, and bets as somebody who knows all
 * patients and both noise laws. Runs in the caller's thread.
 */
export class Dealer {
  readonly #core: ReleaseCore;

  /** @internal Call `openDealer`. */
  constructor(core: ReleaseCore) {
    this.#core = core;
  }

  /** The most bets in 100 that anybody can win in the long run, as the guarantee of a release limits it. */
  best(epsilon: number): number {
    return bestGuess(this.#guarantee(epsilon));
  }

  /**
   * Deals one bet: the file of all patients, and that of all or of all but one, each as likely.
   * @param person zero-based
   */
  deal(epsilon: number, person: number): Dealt {
    const study = studyAt(epsilon);
    const isOut = coin();
    const { constant } = unwrap(this.#core.describe(planOf(study).spec));
    return {
      constant,
      monday: this.#release(study),
      tuesday: this.#release(study, isOut ? person : undefined),
      isOut,
    };
  }

  /**
   * Bets on releases of its own. The rule is the best there is: it knows every sum without noise, with the
   * patient and without, and says which of the two makes the file likelier.
   * @returns the number of right bets
   */
  async bet(epsilon: number, person: number, bets: number): Promise<number> {
    const study = studyAt(epsilon);
    const { noise, constant } = unwrap(this.#core.describe(planOf(study).spec));
    const rule = ruleFor(person, study.rowNorm, constant, noise);
    const outs = Array.from({ length: bets }, coin).filter((isOut) => isOut).length;
    const right = async (isOut: boolean, count: number): Promise<number> => {
      if (count === 0) return 0;
      const files = await repeatReleases(study, rowsBut(isOut ? person : undefined), count);
      return files.filter((values) => isLikelierOut(rule, values, noise.unit) === isOut).length;
    };
    return (await right(true, outs)) + (await right(false, bets - outs));
  }

  #guarantee(epsilon: number): Guarantee {
    return unwrap(this.#core.describe(planOf(studyAt(epsilon)).spec));
  }

  #release(study: Study, without?: number): Release {
    const plan = planOf(study);
    const { intake } = unwrap(this.#core.createIntake(intakeOptions(plan)), plan.columns);
    try {
      unwrap(intake.add(Float64Array.from(patientsBut(without).flat())));
      const { values, rows } = unwrap(intake.release(), plan.columns);
      const parts = {
        version: this.#core.version(),
        description: unwrap(this.#core.describe(plan.spec)),
        ...{ values, rows, clipping: undefined, centring: undefined },
      };
      const local = { ...intake.counts(), columns: [], ignored: [], warnings: [] };
      return makeRelease(study, parts, local);
    } finally {
      intake.delete();
    }
  }
}

export async function openDealer(): Promise<Dealer> {
  return new Dealer(await loadCore());
}

/** The study of the game. Rows are cut to length 1, so that who stands out counts as much as anybody can. */
export function studyAt(epsilon: number): Study {
  return defineStudy({
    title: 'Find me',
    description: 'Twenty made-up patients, one of whom may be missing.',
    columns: COLUMNS,
    neighbours: 'add-remove',
    rowNorm: 1,
    clipping: 'fixed',
    mechanism: 'gaussian',
    privacy: { epsilon, delta: DELTA },
  });
}

/**
 * The sums in a release's values, in scaled units and with a constant of 1, so that the first counts rows.
 * @param constant that of the release, in scaled units
 */
export function sumsOf({ values, noise }: Release, constant: number): number[] {
  const side = COLUMNS.length + 1;
  return values.map((value, at) => {
    const parts = at === 0 ? constant ** 2 : at < side ? constant : 1;
    return (value * noise.unit) / parts;
  });
}

/** The exact sums over all patients, or all but one, packed as in a release. */
export function exactSums(rowNorm: number, constant: number, without?: number): Float64Array {
  const sums = partOf([], constant);
  sums.fill(0);
  PATIENTS.forEach((patient, person) => {
    if (person === without) return;
    partOf(encoded(patient, rowNorm), constant).forEach((value, at) => {
      sums[at] = (sums[at] ?? 0) + value;
    });
  });
  return sums;
}

function ruleFor(
  person: number,
  rowNorm: number,
  constant: number,
  { sdDiagonal, sdOffDiagonal }: { sdDiagonal: number; sdOffDiagonal: number },
): Rule {
  const side = COLUMNS.length + 1;
  const weights = Float64Array.from(
    Array.from({ length: side }, (_, i) =>
      Array.from({ length: side - i }, (_, k) => (k === 0 ? sdDiagonal : sdOffDiagonal) ** -2),
    ).flat(),
  );
  return {
    sums: exactSums(rowNorm, constant),
    part: partOf(encoded(PATIENTS[person] ?? [], rowNorm), constant),
    weights,
  };
}

/** Compares two normal likelihoods: the sum of squares to either side, halfway between which is a draw. */
function isLikelierOut({ sums, part, weights }: Rule, values: Float64Array, unit: number): boolean {
  let score = 0;
  for (let i = 0; i < values.length; i++) {
    const [sum, own] = [sums[i] ?? NaN, part[i] ?? NaN];
    score += (weights[i] ?? NaN) * own * ((values[i] ?? NaN) * unit - sum + own / 2);
  }
  return score < 0;
}

/** A patient in scaled units, cut to the study's row norm. */
function encoded(patient: readonly number[], rowNorm: number): number[] {
  const row = COLUMNS.map(({ min, max }, i) => {
    const value = Math.min(max, Math.max(min, patient[i] ?? NaN));
    return (value - (min + max) / 2) / ((max - min) / 2);
  });
  const cut = Math.min(1, rowNorm / Math.hypot(...row));
  return row.map((value) => value * cut);
}

/** What a row adds to the sums: the upper triangle of its products, the constant first. */
function partOf(row: readonly number[], constant: number): Float64Array {
  const whole = [constant, ...(row.length === 0 ? COLUMNS.map(() => 0) : row)];
  return Float64Array.from(whole.flatMap((x, i) => whole.slice(i).map((y) => x * y)));
}

function patientsBut(without: number | undefined): (readonly number[])[] {
  return PATIENTS.filter((_, person) => person !== without);
}

/** All patients but one, as rows of the study. */
function rowsBut(without: number | undefined): Record<string, number>[] {
  return patientsBut(without).map((patient) =>
    Object.fromEntries(COLUMNS.map(({ name }, i) => [name, patient[i] ?? NaN])),
  );
}

function coin(): boolean {
  return (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % 2 === 1;
}
