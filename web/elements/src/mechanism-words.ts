import { html } from 'lit';
import facts from './mechanism-facts.json';

/** What the registries say of every mechanism, in signs (tools/mechanism-table.mjs). */
export const FACTS = facts;

export type KnownFacts = (typeof facts.mechanisms)[number];
export type PublishedFacts = (typeof facts.published)[number];

/** Why nothing holds, of what a registry says holds; undefined where something does. */
export function reasonForNone(truth: string): string | undefined {
  return /^none: (.*)$/.exec(truth)?.[1];
}

/** Exponents in brackets, as "d^(3/2)", are raised; fractions stay in one line. */
export function formula(text: string): unknown[] {
  return text
    .replaceAll('1/δ', '1/\u2060δ')
    .split(/\^\(([^)]*)\)/)
    .map((part, i) => (i % 2 === 1 ? html`<sup>${part}</sup>` : part));
}
