import type { Study } from 'private-moments';

/** A code as typed, in the form in which it is compared; or why it cannot be one. */
export function readCode(
  typed: string,
  study: Study,
  earlier: readonly string[],
): { code: string } | { problem: string } {
  const text = typed.trim().replace('\u2212', '-');
  const code = /^[-+]?\d+,\d+$/.test(text) ? text.replace(',', '.') : text;
  if (code === '') return { problem: 'Empty cells are always missing.' };
  if (earlier.includes(code)) return { problem: `${withMinus(code)} is in the list.` };
  const column = study.columns.find(
    (each) => each.type === 'category' && each.levels.includes(code),
  );
  if (column !== undefined) return { problem: `“${code}” is an allowed value of ${column.name}.` };
  return { code };
}

/** A code as people write it: "−999". */
export function withMinus(code: string): string {
  return /^-\d/.test(code) ? `\u2212${code.slice(1)}` : code;
}
