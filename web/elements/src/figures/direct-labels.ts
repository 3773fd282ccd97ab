/** A position in CSS pixels. */
export type Point = readonly [x: number, y: number];

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * A line of a figure, from left to right, and the width of its label in each wording, the best first. A
 * line without wordings gets no label, but other labels avoid it.
 */
export interface Labelled {
  points: readonly Point[];
  widths: readonly number[];
}

interface Place {
  x: number;
  /** Height of the baseline. */
  y: number;
  anchor: 'start' | 'end';
}

export interface Placed extends Place {
  /** Index of the wording used. */
  wording: number;
}

const ASCENT = 12;
const DESCENT = 4;
/** Distance between the positions tried along a line. */
const STEP = 8;
const ASIDE = 8;
const ABOVE = 8;
const BELOW = 18;
/** Least distance between two labels. */
const BETWEEN = 4;
/** A label prefers a part of its line with no other line within this distance. */
const CLEAR = 12;
/** Penalty for each wording after the first. */
const SHORTER = 20;

/**
 * Positions of labels beside their lines: inside `area`, clear of each other and of `taken`, crossing no
 * line if possible, and nearer to their own line than to any other.
 */
export function placeLabels(
  lines: readonly Labelled[],
  area: Box,
  taken: readonly Box[] = [],
): (Placed | undefined)[] {
  const paths = lines.map(({ points }) => along(points));
  const spots = paths.map((path, own) => spotsOf(path, lines, own));
  const placed: (Placed | undefined)[] = lines.map(() => undefined);
  const boxes: (Box | undefined)[] = lines.map(() => undefined);
  const costs = lines.map(() => Infinity);
  // The second round lets the first labels avoid the last ones.
  for (let turn = 0; turn < 2; turn++) {
    lines.forEach(({ widths }, own) => {
      const others = boxes.filter((box, i): box is Box => i !== own && box !== undefined);
      const inTheWay = [...taken, ...others];
      const held = boxes[own];
      const isClear = held !== undefined && !inTheWay.some((each) => overlap(held, each));
      let least = isClear ? (costs[own] ?? Infinity) : Infinity;
      for (const { point, penalty } of spots[own] ?? []) {
        // Spots are sorted, so none that follows can be better.
        if (penalty >= least) break;
        widths.forEach((width, wording) => {
          for (const place of around(point)) {
            const box = boxOf(place, width);
            if (!isInside(box, area) || inTheWay.some((each) => overlap(box, each))) continue;
            const before = penalty + SHORTER * wording;
            const cost = before + crossing(box, paths, own, least - before);
            if (cost >= least) continue;
            least = cost;
            placed[own] = { ...place, wording };
            boxes[own] = box;
          }
        });
      }
      costs[own] = least;
    });
  }
  return placed;
}

/** Spots along a line, the best first: far from other lines, and near the middle. */
function spotsOf(
  path: readonly Point[],
  lines: readonly Labelled[],
  own: number,
): { point: Point; penalty: number }[] {
  const spots = path.map((point, i) => {
    const middle = Math.abs(i / Math.max(1, path.length - 1) - 0.4);
    let apart = CLEAR;
    for (const [k, line] of lines.entries()) {
      if (k !== own) apart = Math.min(apart, gap(line.points, point));
    }
    return { point, penalty: 10 * middle + 20 * (CLEAR - apart) };
  });
  return spots.sort((a, b) => a.penalty - b.penalty);
}

/** The four positions of a label around a point: above or below, left or right. */
function around([x, y]: Point): Place[] {
  return [
    { x: x - ASIDE, y: y - ABOVE, anchor: 'end' },
    { x: x + ASIDE, y: y + BELOW, anchor: 'start' },
    { x: x + ASIDE, y: y - ABOVE, anchor: 'start' },
    { x: x - ASIDE, y: y + BELOW, anchor: 'end' },
  ];
}

function boxOf({ x, y, anchor }: Place, width: number): Box {
  const left = anchor === 'start' ? x : x - width;
  return { left, right: left + width, top: y - ASCENT, bottom: y + DESCENT };
}

function isInside(box: Box, area: Box): boolean {
  return (
    box.left >= area.left &&
    box.right <= area.right &&
    box.top >= area.top &&
    box.bottom <= area.bottom
  );
}

function overlap(a: Box, b: Box): boolean {
  return (
    a.left < b.right + BETWEEN &&
    b.left < a.right + BETWEEN &&
    a.top < b.bottom + BETWEEN &&
    b.top < a.bottom + BETWEEN
  );
}

/**
 * Placement penalty of a box: for lines through it, and for other lines nearer than its own. Stops
 * counting at `most`, above which the box is rejected anyway.
 */
function crossing(
  box: Box,
  paths: readonly (readonly Point[])[],
  own: number,
  most: number,
): number {
  const near = distance(box, paths[own] ?? []);
  let cost = (near < 1 ? 60 : 0) + 2 * near;
  for (const [i, path] of paths.entries()) {
    if (cost >= most) break;
    if (i === own) continue;
    const far = distance(box, path);
    cost += far < 1 ? 200 : far < near ? 100 : (30 * near) / far;
  }
  return cost;
}

/** Distance of a line from a box; 0 if it enters the box. Skips points too far to the side to matter. */
function distance({ left, right, top, bottom }: Box, path: readonly Point[]): number {
  let least = Infinity;
  const isFarther = (point: Point | undefined): boolean => {
    if (point === undefined) return true;
    const across = Math.max(left - point[0], 0, point[0] - right);
    const up = Math.max(top - point[1], 0, point[1] - bottom);
    least = Math.min(least, across * across + up * up);
    return least === 0 || across * across > least;
  };
  const start = firstFrom(left, path);
  for (let i = start; !isFarther(path[i]); i++);
  for (let i = start - 1; !isFarther(path[i]); i--);
  return Math.sqrt(least);
}

/** Vertical distance between a line and a point. */
function gap(points: readonly Point[], [x, y]: Point): number {
  const i = firstFrom(x, points);
  const [to, from] = [points[i] ?? points.at(-1), points[i - 1]];
  if (to === undefined) return Infinity;
  const t = from === undefined || to[0] === from[0] ? 1 : (x - from[0]) / (to[0] - from[0]);
  return Math.abs((from ?? to)[1] * (1 - t) + to[1] * t - y);
}

/** The index of the first point of a line that is not left of `x`. */
function firstFrom(x: number, points: readonly Point[]): number {
  let [from, to] = [0, points.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((points[middle]?.[0] ?? 0) < x) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Points along a line at even distances. */
function along(points: readonly Point[]): Point[] {
  return points.flatMap((to, i) => {
    const from = points[i - 1] ?? to;
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const parts = Math.max(1, Math.ceil(Math.hypot(dx, dy) / STEP));
    return Array.from({ length: parts }, (_, part): Point => {
      const t = (part + 1) / parts;
      return [from[0] + t * dx, from[1] + t * dy];
    });
  });
}
