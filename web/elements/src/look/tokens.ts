import { css, unsafeCSS, type CSSResult } from 'lit';
import { COLOURS, FONT, MONO } from 'private-moments/words';

/** A host page overrides a colour by setting `--pm-<role>` anywhere above. */
const faces: Record<string, string> = { font: FONT, 'font-mono': MONO };

const values = [
  ...Object.entries(COLOURS).map(
    ([role, pair]) => [role, `light-dark(${pair.join(', ')})`] as const,
  ),
  ...Object.entries(faces),
];

/** Declarations of the public properties, for pages that use the same tokens. */
export const publicTokens: string = values
  .map(([role, value]) => `--pm-${role}: ${value};`)
  .join('\n');

/**
 * The tokens inside a component: `--_<role>` follows `--pm-<role>` if the host page sets it, else the
 * default. Light or dark follows the `color-scheme` of the host page at that place.
 */
export const tokens: CSSResult = css`
  :host {
    ${unsafeCSS(values.map(([role, value]) => `--_${role}: var(--pm-${role}, ${value});`).join('\n'))}
  }
`;
