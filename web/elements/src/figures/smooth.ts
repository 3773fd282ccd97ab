type Points = readonly (readonly [x: number, y: number])[];

/** The curve from one point to the next. */
interface Piece {
  start: string;
  curve: string;
}

/** A monotone path through points in order of x (Fritsch and Carlson 1980). */
export function smooth(points: Points): string {
  return joined(piecesOf(points), () => true);
}

/** The same as two paths: one between points that are `sound`, and one of all other pieces. */
export function parted(points: Points, sound: readonly boolean[]): [sound: string, other: string] {
  const pieces = piecesOf(points);
  const isSound = (i: number): boolean => sound[i] === true && sound[i + 1] === true;
  return [joined(pieces, isSound), joined(pieces, (i) => !isSound(i))];
}

function joined(pieces: readonly Piece[], isWanted: (place: number) => boolean): string {
  return pieces
    .map(({ start, curve }, i) => {
      if (!isWanted(i)) return '';
      return i > 0 && isWanted(i - 1) ? curve : `${start}${curve}`;
    })
    .join('');
}

function piecesOf(points: Points): Piece[] {
  const slopes = points.slice(1).map(([x, y], i) => {
    const [px, py] = points[i] ?? [x - 1, y];
    return (y - py) / (x - px);
  });
  const tangents = points.map((_, i) => {
    const [before, after] = [slopes[i - 1], slopes[i]];
    if (before === undefined || after === undefined) return after ?? before ?? 0;
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  });
  return points.slice(1).map(([x, y], i) => {
    const [fromX, fromY] = points[i] ?? [x, y];
    const third = (x - fromX) / 3;
    const [start, end] = [tangents[i] ?? 0, tangents[i + 1] ?? 0];
    const curve = `C${tenth(fromX + third)} ${tenth(fromY + start * third)} ${tenth(x - third)} ${tenth(y - end * third)} ${tenth(x)} ${tenth(y)}`;
    return { start: `M${tenth(fromX)} ${tenth(fromY)}`, curve };
  });
}

/** Rounds to a tenth of a pixel. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
