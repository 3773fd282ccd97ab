import { escapedJson } from 'private-moments/internal';

/** JSON for programs: lists for typed arrays, escapes for what could steer a terminal, ended by a line break. */
export function jsonText(value: unknown): string {
  const plain = (_: string, item: unknown): unknown =>
    item instanceof Float64Array ? Array.from(item) : item;
  return `${escapedJson(JSON.stringify(value, plain, 2))}\n`;
}
