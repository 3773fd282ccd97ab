import type { Data, Moments, Study } from 'private-moments';
import {
  checkReadOptions,
  exactMomentsOf,
  intakeOptions,
  loadAnalysis,
  noRows,
  openData,
  exactPlan,
  planOf,
  readInto,
  requireReadable,
  requireStudy,
  RowFeed,
  unwrap,
  type ReadOptions,
} from 'private-moments/internal/core';

/** Radii of the clip ladder. */
const LEVELS = 7;

/** The most radii for which the core counts longer rows. */
const COUNTS = 24;

/** What rows on the grid of all radii are multiplied by for the largest one, which shortens the fewest. */
const LONGEST = 5n;

/**
 * Moments of all rows without noise, from the sums that a worker hands to another
 * (core/moments/part_bytes.cpp): what `assemble` estimates.
 */
export async function exactMoments(
  study: Study,
  data: Data,
  options: Pick<ReadOptions, 'columns' | 'csv' | 'missingValues'> = {},
): Promise<Moments> {
  checkReadOptions(options);
  const plan = exactPlan(planOf(requireStudy(study), options));
  const source = openData(data, plan);
  const core = await loadAnalysis();
  const { constant, noise } = unwrap(core.describe(plan.spec));
  const { intake } = unwrap(core.createIntake(intakeOptions(plan)), plan.columns);
  try {
    await readInto(new RowFeed(intake, plan, core), plan, source);
    const counts = intake.counts();
    if (counts.rows === 0) throw noRows();
    requireReadable(counts);
    const { rows, totals } = sumsIn(unwrap(intake.part()).bytes, study);
    const coordinate = BigInt(Math.round((constant / study.rowNorm) * 2 ** noise.bits));
    totals[0] = coordinate ** 2n * rows;
    for (let i = 1; i <= study.features.length; i++) totals[i] = (totals[i] ?? 0n) * coordinate;
    const isOneRow = study.unit === 'participant';
    const unit = study.rowNorm ** 2 * 2 ** (-2 * noise.bits);
    const values = totals.map((total) => Number(isOneRow ? total / rows : total) * unit);
    return exactMomentsOf(core, study, constant, {
      values: Float64Array.from(values),
      rows: isOneRow ? 1 : Number(rows),
    });
  } finally {
    intake.delete();
  }
}

/** Reads the bytes of partial sums: rows that count, and the packed sums, without the constant's. */
function sumsIn(
  bytes: Uint8Array,
  { columns, features }: Study,
): { rows: bigint; totals: bigint[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const word = (): bigint => {
    at += 8;
    return view.getBigUint64(at - 8, true);
  };
  const wide = (): bigint => word() + (view.getBigInt64((at += 8) - 8, true) << 64n);
  const head = Array.from({ length: 2 + 4 + COUNTS + 1 + 2 * columns.length }, word);
  const slots = Number(word());
  const totals: bigint[] = [];
  for (let slot = 0; slot < slots; slot++) {
    word();
    wide();
    const packed = Array.from({ length: Number(word()) }, wide);
    // First, for each radius, the rows that it shortens; then, for each, the rows that it leaves as they are.
    const factor = slots === 1 || slot === 0 ? 1n : slot < LEVELS ? 0n : LONGEST;
    packed.forEach((sum, i) => {
      const power = i < features.length ? factor : factor ** 2n;
      totals[i + 1] = (totals[i + 1] ?? 0n) + sum * power;
    });
  }
  return { rows: head[3] ?? 0n, totals };
}
