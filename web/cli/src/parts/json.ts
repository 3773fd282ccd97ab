/** JSON for programs: lists for typed arrays, ended by a line break. */
export function jsonText(value: unknown): string {
  const plain = (_: string, item: unknown): unknown =>
    item instanceof Float64Array ? Array.from(item) : item;
  return `${JSON.stringify(value, plain, 2)}\n`;
}
