/** Starts a download of a blob. */
export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // By the next turn of the event loop, the download holds its own reference to the blob.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 0);
}

export function saveCsv(text: string, name: string): void {
  save(new Blob([text], { type: 'text/csv' }), name);
}

/** A title as a file name without an extension: lower case, words joined by hyphens. */
export function slug(title: string, fallback: string): string {
  const plain = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
    .replace(/-$/, '');
  return plain === '' ? fallback : plain;
}

/** The file name of a release. That of the data would leave with it, so it is not in it. */
export function releaseName(studyTitle: string, releaseId: string): string {
  return `${slug(studyTitle, 'study')}-${releaseId.slice(0, 8)}.release.json`;
}
