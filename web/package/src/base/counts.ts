/**
 * Whole numbers as text, with true minus signs and English digit groups, as `Intl.NumberFormat` writes them: making
 * the first of those takes a slow computer up to 0.2 s. A separate file, because every study needs it and few need
 * report/format.ts.
 */

export function withMinus(text: string): string {
  return text.replaceAll('-', '−');
}

/** The text of a decimal number with a comma between every three digits before the point: "7012.5" as "7,012.5". */
export function withGroups(text: string): string {
  const [whole = '', ...decimals] = text.split('.');
  return withMinus([whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...decimals].join('.'));
}

/** 7012 as "7,012"; a fraction is rounded, halves away from zero. */
export function count(value: number): string {
  return withGroups(value.toFixed(0));
}

/** 1 row, 2 rows; 0 rows. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
