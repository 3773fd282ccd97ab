export interface PmExplorerElement extends HTMLElement {
  /** Address of a page on every mechanism; without it there is no link to one. */
  mechanisms: string;
  /** A section to go to: `consortium`, `mechanisms` or `audit`. */
  section: string;
}

export interface PmMechanismComparisonElement extends HTMLElement {
  /** As for `pm-explorer`; the rows of the table link to it. */
  mechanisms: string;
}

export type PmConsortiumElement = HTMLElement;

export interface PmAuditElement extends HTMLElement {
  /** One of the names that `auditable()` of `private-moments-research` gives. */
  mechanism: string;
  /** The promise to attack. */
  epsilon: number;
}

/** The elements by name: the page, and its sections. */
export interface ExplorerElements {
  'pm-explorer': PmExplorerElement;
  'pm-mechanism-comparison': PmMechanismComparisonElement;
  'pm-consortium': PmConsortiumElement;
  'pm-audit': PmAuditElement;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an interface with members would add names that are not elements
  interface HTMLElementTagNameMap extends ExplorerElements {}
}
