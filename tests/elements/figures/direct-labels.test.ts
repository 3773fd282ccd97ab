import { describe, expect, it } from 'vitest';
import { placeLabels, type Point } from '../../../web/elements/src/figures/direct-labels.js';

describe('labels beside lines', () => {
  const area = { left: 40, right: 800, top: 20, bottom: 380 };
  const line = (shift: number): Point[] =>
    Array.from({ length: 37 }, (_, i): Point => {
      const x = 40 + (760 * i) / 36;
      return [x, 370 - 340 / (1 + Math.exp(-(x - shift) / 60))];
    });

  it('stay inside, clear of each other, and nearest to their own line', () => {
    const lines = [200, 320, 440, 560].map((shift) => ({ points: line(shift), widths: [90] }));
    const placed = placeLabels(lines, area);
    const boxes = placed.map((place) => {
      if (place === undefined) throw new Error('a label has no place');
      const left = place.anchor === 'start' ? place.x : place.x - 90;
      return { left, right: left + 90, top: place.y - 12, bottom: place.y + 4 };
    });
    boxes.forEach((a, i) => {
      expect(a.left).toBeGreaterThanOrEqual(area.left);
      expect(a.right).toBeLessThanOrEqual(area.right);
      for (const b of boxes.slice(i + 1)) {
        const apart = a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
        expect(apart).toBe(true);
      }
      for (const [k, { points }] of lines.entries()) {
        const crossed = points.some(
          ([x, y]) => x >= a.left && x <= a.right && y >= a.top && y <= a.bottom,
        );
        if (k !== i) expect(crossed).toBe(false);
      }
    });
  });

  it('use the shorter wording if there is no room for the longer', () => {
    const [placed] = placeLabels([{ points: line(300), widths: [900, 60] }], area);
    expect(placed?.wording).toBe(1);
    const [wide] = placeLabels([{ points: line(300), widths: [160, 60] }], area);
    expect(wide?.wording).toBe(0);
  });

  it('choose the part where a line is apart from others', () => {
    // Together until 400, then apart.
    const along: Point[] = [
      [40, 100],
      [800, 100],
    ];
    const leaving: Point[] = [
      [40, 100],
      [400, 100],
      [800, 340],
    ];
    const [, place] = placeLabels(
      [along, leaving].map((points) => ({ points, widths: [40] })),
      area,
    );
    expect(place?.x).toBeGreaterThan(400);
  });

  it('avoid the boxes that are taken', () => {
    const taken = { left: 40, right: 500, top: 20, bottom: 380 };
    const [place] = placeLabels([{ points: line(300), widths: [90] }], area, [taken]);
    expect(place && (place.anchor === 'start' ? place.x : place.x - 90)).toBeGreaterThan(500);
  });

  it('are left out for lines without points', () => {
    expect(placeLabels([{ points: [], widths: [40] }], area)).toEqual([undefined]);
  });
});
