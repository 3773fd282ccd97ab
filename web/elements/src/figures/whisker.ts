import { svg, type TemplateResult } from 'lit';

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
  isFaint: boolean,
): TemplateResult {
  const kind = isFaint ? 'whisker faint' : 'whisker';
  const bar = (x: number, y: number): TemplateResult =>
    svg`<line class=${kind} x1=${x - dx} x2=${x + dx} y1=${y - dy} y2=${y + dy}></line>`;
  return svg`<line class=${kind} x1=${x1} x2=${x2} y1=${y1} y2=${y2}></line>${bar(x1, y1)}${bar(x2, y2)}`;
}

/** ", interval .58 to .67", or '' without an interval. */
export function intervalWords(
  low: number | undefined,
  high: number | undefined,
  show: (value: number) => string,
): string {
  return low === undefined || high === undefined ? '' : `, interval ${show(low)} to ${show(high)}`;
}
