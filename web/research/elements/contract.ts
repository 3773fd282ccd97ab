export interface PmExplorerElement extends HTMLElement {
  /** Address of a page on every mechanism; without it there is no link to one. */
  mechanisms: string;
  /** Address of a page with the game *Find me*; without it there is no link to one. */
  game: string;
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

export interface PmFindMeElement extends HTMLElement {
  /** The promise that the game is played at, from 0.1 to 100. */
  epsilon: number;
  /** Address of an explanation of the best possible share; without it there is no link to one. */
  about: string;
  /** Address of the page, for copies; without it there is no button to copy one. */
  link: string;
}

/** The elements by name: the page, its sections, and the game. */
export interface ExplorerElements {
  'pm-explorer': PmExplorerElement;
  'pm-mechanism-comparison': PmMechanismComparisonElement;
  'pm-consortium': PmConsortiumElement;
  'pm-audit': PmAuditElement;
  'pm-find-me': PmFindMeElement;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an interface with members would add names that are not elements
  interface HTMLElementTagNameMap extends ExplorerElements {}
}
