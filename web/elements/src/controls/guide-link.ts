import { html, nothing, type TemplateResult } from 'lit';

/**
 * A link to a page of the guide, in another tab, so that what is on this page stays in view. Nothing where
 * `guide`, the address of the guide's folder, is empty.
 */
export function guideLink(
  guide: string,
  page: string,
  words: string,
): TemplateResult | typeof nothing {
  return guide === ''
    ? nothing
    : html`<a href="${guide}${page}.html" target="_blank" rel="noopener">${words}</a>`;
}
