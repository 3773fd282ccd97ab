/** What raw functions of the core share: the study's parameters, and results as values. */
import type { MechanismOptions } from '../generated/mechanisms.js';
import type { Coordinates } from '../generated/raw.js';
import type { RowFrame } from '../study/coordinates.js';
import type { Clipping, Federation, MechanismName, Neighbours, Unit } from '../study/types.js';

/** Everything that determines the noise and the guarantee; all of it is public. */
export interface Spec extends MechanismOptions {
  mechanism: MechanismName;
  epsilon: number;
  delta: number;
  neighbours: Neighbours;
  unit: Unit;
  dimension: number;
  rowNorm: number;
  clipping: Clipping;
  /** Where the coordinates of the rows lie, if the study states centres and spreads. */
  frame?: RowFrame;
  /** For private centring: how many of the study's columns are numbers and categories. */
  numbers?: number;
  categories?: number;
  /** Likewise: whether surveys count the missing cells of each column. */
  countsGaps?: boolean;
  /** How many releases are expected to be summed. */
  sites: number;
  federation: Federation;
  /** The level of the clip radius for which to describe a release; default 0. */
  level?: number;
  /** With private centring: the coordinates of that release. Default: units of a clip radius of 1. */
  coordinates?: Coordinates;
}

export interface RawFailure {
  ok: false;
  code: string;
  message: string;
  field?: string;
  row?: number;
  column?: number;
}

export type Raw<T> = ({ ok: true } & T) | RawFailure;
