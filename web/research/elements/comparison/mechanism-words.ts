import { html } from 'lit';
import facts from './mechanism-facts.json';

/** The registries' facts on every mechanism, as text (tools/mechanism-table.mjs). */
export const FACTS = facts;

export type KnownFacts = (typeof facts.mechanisms)[number];
export type PublishedFacts = (typeof facts.published)[number];

/** The reason in a registry's "none: reason"; undefined if a claim holds at least in part. */
export function reasonForNone(truth: string): string | undefined {
  return /^none: (.*)$/.exec(truth)?.[1];
}

/** Renders exponents in brackets, as in "d^(3/2)", as superscripts, and keeps fractions on one line. */
export function formula(text: string): unknown[] {
  return text
    .replaceAll('1/δ', '1/\u2060δ')
    .split(/\^\(([^)]*)\)/)
    .map((part, i) => (i % 2 === 1 ? html`<sup>${part}</sup>` : part));
}
