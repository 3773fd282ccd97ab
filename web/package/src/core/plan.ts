import { didYouMean } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import { plainNumber } from '../base/plain-number.js';
import type { Coordinates } from '../generated/raw.js';
import { frameOf } from '../study/coordinates.js';
import { releasedFeatures } from '../study/features.js';
import { countsGaps } from '../study/gaps.js';
import type { CsvOptions, IntakeOptions, RawColumn, Spec } from './raw.js';
import type { Study } from '../study/study.js';
import { codesFor } from '../study/missing-codes.js';
import type { Column, CsvEncoding, MissingRule } from '../study/types.js';

/** A column of the study, its name in the data, and numbers that may stand for a missing cell. */
export type PlanColumn = Column & { from: string; codes: number[] };

/** How a caller says that data are to be read. */
export interface PlanOptions {
  columns?: ColumnMapping | undefined;
  csv?: (Partial<CsvOptions> & { encoding?: CsvEncoding | undefined }) | undefined;
  missingValues?: readonly string[] | undefined;
}

/** What a worker needs to turn data into sums: public, and plain data that can be posted. */
export interface Plan {
  spec: Spec;
  columns: PlanColumn[];
  missing: MissingRule;
  /** Numbers that stand for a missing cell. */
  codes: number[];
  /** The same codes, and words for a missing cell, as whole cells. */
  words: string[];
  csv: CsvOptions & { encoding: CsvEncoding };
  /** With private centring, for the second reading: what the first one determined. Absent in the first. */
  coordinates?: Coordinates;
}

export type ColumnMapping = Readonly<Record<string, string>>;

/** The parameters of the study that determine noise and guarantee, as the core takes them. */
export function specOf(study: Study): Spec {
  const { name: mechanism, ...options } = study.mechanism;
  const frame = frameOf(study);
  return {
    mechanism,
    ...options,
    epsilon: study.privacy.epsilon,
    delta: study.privacy.delta,
    neighbours: study.neighbours,
    unit: study.unit,
    dimension: releasedFeatures(study),
    rowNorm: study.rowNorm,
    clipping: study.clipping,
    ...(frame === undefined ? {} : { frame }),
    numbers: study.columns.filter(({ type }) => type === 'number').length,
    categories: study.columns.filter(({ type }) => type === 'category').length,
    ...(countsGaps(study.missing) ? { countsGaps: true } : {}),
    sites: study.federation.sites ?? 1,
    federation: study.federation,
  };
}

/** By default, names are those of the study, and the delimiter of CSV files is found in the header. */
export function planOf(study: Study, options: PlanOptions = {}): Plan {
  const { columns: mapping = {}, csv = {}, missingValues = [] } = options;
  for (const [column, from] of Object.entries(mapping)) {
    if (!study.columns.some(({ name }) => name === column)) {
      const names = study.columns.map(({ name }) => name);
      const message = `columns maps "${column}", which is not a column of the study${didYouMean(column, names)}`;
      throw new PrivateMomentsError('invalid-mapping', message, { column });
    }
    if (typeof from !== 'string' || from.trim() === '') {
      const message = `columns must map "${column}" to the name of a column in the data`;
      throw new PrivateMomentsError('invalid-mapping', message, { column });
    }
  }
  const words = [...(study.missingValues ?? []), ...missingValues];
  const codes = words.map(plainNumber);
  return {
    spec: specOf(study),
    missing: study.missing,
    codes: codes.filter((code) => !Number.isNaN(code)),
    words: words.map((word: unknown) => String(word).trim()),
    csv: {
      delimiter: csv.delimiter,
      decimal: csv.decimal ?? '.',
      encoding: csv.encoding ?? 'utf-8',
    },
    columns: study.columns.map((column) => {
      const from = Object.hasOwn(mapping, column.name) ? mapping[column.name] : undefined;
      return { ...column, from: from?.trim() ?? column.name, codes: codesFor(column) };
    }),
  };
}

export function intakeOptions(plan: Plan): IntakeOptions {
  const { spec, missing, coordinates } = plan;
  return {
    spec,
    missing,
    columns: rawColumns(plan.columns),
    ...(coordinates && { coordinates }),
  };
}

/** Whether releases of this plan read their rows twice. */
export function isCentred({ spec }: Plan): boolean {
  return spec.clipping === 'centred';
}

/** The plan with which an intake has the exact sums of all rows in scaled units. */
export function exactPlan(plan: Plan): Plan {
  return isCentred(plan) ? { ...plan, spec: { ...plan.spec, clipping: 'fixed' } } : plan;
}

/** The columns as the core takes them. */
export function rawColumns(columns: readonly Column[]): RawColumn[] {
  return columns.map((column) =>
    column.type === 'number'
      ? { kind: 'number', min: column.min, max: column.max }
      : { kind: 'category', levels: column.levels.length },
  );
}
