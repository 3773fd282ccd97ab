/** Subresource Integrity: a browser runs a script or applies a style only if it is what the page was built with. */

const TAGS = /<(?:script|link)\b[^>]*>/g;
/** Which links load what runs or what is applied. */
const LOADS = /^<script\b|\brel="(?:stylesheet|modulepreload)"/;

/**
 * The page with the hashes of the scripts, the modules loaded ahead of their use and the styles that it names.
 * @param hashOf the hash of a file by its address in the page, as the attribute states it; undefined for files
 * whose name stays when their content changes: a page and a cache could then be of different versions
 */
export function withIntegrity(
  html: string,
  hashOf: (address: string) => string | undefined,
): string {
  return html.replaceAll(TAGS, (tag) => {
    const address = /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1];
    if (address === undefined || !LOADS.test(tag) || tag.includes(' integrity=')) return tag;
    const hash = hashOf(address);
    return hash === undefined ? tag : tag.replace(/\s*\/?>$/, ` integrity="${hash}">`);
  });
}
