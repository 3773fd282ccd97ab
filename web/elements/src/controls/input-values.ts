/** The text of the control an event comes from. */
export function textOf(event: Event): string {
  return (event.target as HTMLInputElement).value;
}

/** A number as people type it; NaN if the text is not a number. */
export function numberIn(text: string): number {
  const plain = text.trim().replace('−', '-');
  return plain === '' ? NaN : Number(plain);
}

/** The files just chosen in an input, which is then cleared so that the same file can be chosen again. */
export function takeFiles(event: Event): File[] {
  const input = event.target as HTMLInputElement;
  const files = [...(input.files ?? [])];
  input.value = '';
  return files;
}
