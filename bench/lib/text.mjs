/** Three significant digits without an exponent: 0.0123, 1.23, 12.3, 123, 1234. */
export function figure(value) {
  if (!Number.isFinite(value)) return '-';
  const digits = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(6, Math.max(0, 2 - digits)));
}

export const percent = (share) => `${(100 * share).toFixed(0)} %`;

/** 1234567 as 1 234 567. */
export const count = (value) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');

/**
 * A Markdown table whose columns are also aligned as plain text: the first column to the left, numbers
 * to the right.
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function table(head, rows) {
  const widths = head.map((_, c) => Math.max(3, ...[head, ...rows].map((row) => row[c].length)));
  const line = (cells) =>
    `| ${cells.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join(' | ')} |`;
  const rule = widths.map((width, c) =>
    c === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
