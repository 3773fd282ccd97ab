/** Whole numbers as text. In a file of their own, as every study needs them and few need the rest. */

export function withMinus(text: string): string {
  return text.replaceAll('-', '−');
}

/** Made when it is first used: the first of them takes a slow computer as long as half a page. */
export function inEnglish(options: Intl.NumberFormatOptions): (value: number) => string {
  let made: Intl.NumberFormat | undefined;
  return (value) => withMinus((made ??= new Intl.NumberFormat('en', options)).format(value));
}

const grouped = inEnglish({ maximumFractionDigits: 0 });

/** 7012 as "7,012". */
export function count(value: number): string {
  return grouped(value);
}

/** 1 row, 2 rows; 0 rows. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
