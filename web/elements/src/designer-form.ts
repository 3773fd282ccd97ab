import type { Draft } from './draft.js';

/** What the parts of the form share: the draft, how to change it, and what to say at a field. */
export interface DesignerForm {
  draft: Draft;
  change: (patch: Partial<Draft>) => void;
  /** What is wrong with a field, once there is reason to say it. */
  error: (field: string) => string | undefined;
  /** The field has been left: from now on it is told what is wrong with it. */
  leave: (field: string) => void;
  /** Puts the focus on a control once it is drawn. */
  focus: (id: string) => void;
  /** Says something to those who listen. */
  say: (words: string) => void;
}

/** The text of the control an event comes from. */
export function textOf(event: Event): string {
  return (event.target as HTMLInputElement).value;
}
