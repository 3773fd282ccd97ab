/** Hands a blob to the browser's own download. */
export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has taken its own hold of the blob by the next turn of the event loop.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 0);
}

export function saveCsv(text: string, name: string): void {
  save(new Blob([text], { type: 'text/csv' }), name);
}

/** A file's name without its folder and its last extension. */
export function stem(name: string): string {
  return name.replace(/\.[^.]*$/, '') || name;
}
