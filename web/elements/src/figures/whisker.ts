import { svg, type TemplateResult } from 'lit';

/** Half the length of the bars across the ends of a two-tone interval. */
const CAP = 5;

interface Ends {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/** An interval as a line, with a bar of half length `dx` or `dy` across each end. */
export function whisker(
  { x1, x2, y1, y2 }: Ends,
  { dx = 0, dy = 0 }: { dx?: number; dy?: number },
): TemplateResult {
  const bar = (x: number, y: number): TemplateResult =>
    svg`<line class="whisker" x1=${x - dx} x2=${x + dx} y1=${y - dy} y2=${y + dy}></line>`;
  return svg`<line class="whisker" x1=${x1} x2=${x2} y1=${y1} y2=${y2}></line>${bar(x1, y1)}${bar(x2, y2)}`;
}

/** The interval of a value below its noise floor: pale, dashed and without ends, as it is not a finding. */
export function faintWhisker({ x1, x2, y1, y2 }: Ends): TemplateResult {
  return svg`<line class="whisker faint" x1=${x1} x2=${x2} y1=${y1} y2=${y2}></line>`;
}

/**
 * A horizontal interval over a bar, both from left to right: in the colour of the page where it lies on the
 * bar, dark elsewhere. Without a bar all of it is dark.
 */
export function twoToneWhisker(
  [from, to]: readonly [number, number],
  y: number,
  bar?: readonly [number, number],
): TemplateResult {
  const cuts = (bar ?? []).filter((end) => end > from && end < to);
  const points = [from, ...cuts, to];
  const tone = (x: number): string =>
    bar !== undefined && x > bar[0] && x < bar[1] ? 'on-bar' : 'on-page';
  const cap = (x: number): TemplateResult =>
    svg`<line class="whisker ${tone(x)}" x1=${x} x2=${x} y1=${y - CAP} y2=${y + CAP}></line>`;
  return svg`${points.slice(1).map((end, i) => {
    const start = points[i] ?? from;
    return svg`<line class="whisker ${tone((start + end) / 2)}" x1=${start} x2=${end} y1=${y} y2=${y}></line>`;
  })}${cap(from)}${cap(to)}`;
}

/** ", interval .58 to .67", or '' without an interval. */
export function intervalWords(
  low: number | undefined,
  high: number | undefined,
  show: (value: number) => string,
): string {
  return low === undefined || high === undefined ? '' : `, interval ${show(low)} to ${show(high)}`;
}
