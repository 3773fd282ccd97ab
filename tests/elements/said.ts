import { nothing } from 'lit';

/** The text of a template, including tags. */
export function said(template: unknown): string {
  if (template === nothing || template === undefined || template === null) return '';
  if (Array.isArray(template)) return template.map(said).join('');
  if (typeof template === 'object' && 'strings' in template) {
    const { strings, values } = template as { strings: readonly string[]; values: unknown[] };
    return strings.map((text, i) => text + said(values[i])).join('');
  }
  return ['string', 'number'].includes(typeof template) ? (template as string) : '';
}
