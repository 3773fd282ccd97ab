import { printable } from 'private-moments/internal';

/** Numbers as the package writes them, and intervals of these. */
const NUMBER = /^[−+<]?[\d.,]+(?: × 10[⁻⁰-⁹¹²³]+)? ?%?(?: to [−+<]?[\d.,]+ ?%?)?$/;
/** Lines of prose longer than this are hard to read. */
const PROSE_WIDTH = 96;

/** A table with aligned columns: text on the left, numbers on the right. Columns without any cell are left out. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const columns = header
    .map((_, j) => all.map((row) => printable(row[j] ?? '')))
    .filter(([, ...cells]) => cells.some((cell) => cell !== ''));
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const isNumeric = columns.map(
    ([, ...cells]) =>
      cells.some(Boolean) && cells.every((cell) => cell === '' || NUMBER.test(cell)),
  );
  const lines = all.map((_, i) =>
    columns
      .map((cells, j) => {
        const cell = cells[i] ?? '';
        const width = widths[j] ?? 0;
        return isNumeric[j] ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('   ')
      .trimEnd(),
  );
  return lines.join('\n');
}

/** Names and values below each other. */
export function facts(pairs: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => printable(`${name.padEnd(width)}   ${value}`)).join('\n');
}

/** Sentences, broken between words. */
export function prose(text: string): string {
  return printable(text).split('\n').map(wrapped).join('\n');
}

function wrapped(line: string): string {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > PROSE_WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}

/** Paragraphs with an empty line between them, ended by a line break. */
export function paragraphs(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
