/** Whole numbers as text. A separate file, because every study needs it and few need report/format.ts. */

export function withMinus(text: string): string {
  return text.replaceAll('-', '−');
}

/** A lazy English number format: creating the first Intl.NumberFormat is slow on slow computers. */
export function englishFormat(options: Intl.NumberFormatOptions): (value: number) => string {
  let made: Intl.NumberFormat | undefined;
  return (value) => withMinus((made ??= new Intl.NumberFormat('en', options)).format(value));
}

const grouped = englishFormat({ maximumFractionDigits: 0 });

/** 7012 as "7,012". */
export function count(value: number): string {
  return grouped(value);
}

/** 1 row, 2 rows; 0 rows. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
