/** A part of the saved copy's content policy, and what it means. */
export interface Rule {
  name: string;
  /** Follows the name; null for the hash of an inline text. */
  value: string | null;
  meaning: string;
}

/** The content policy of the saved copy: it loads nothing, not even from where it is. */
export const RULES: readonly Rule[] = [
  { name: 'default-src', value: "'none'", meaning: 'Nothing is loaded from anywhere.' },
  {
    name: 'connect-src',
    value: "'none'",
    meaning: 'No request to any address, including the site the file came from.',
  },
  { name: 'form-action', value: "'none'", meaning: 'No form can be sent.' },
  { name: 'script-src', value: null, meaning: 'Only the program inside the file runs.' },
  { name: 'style-src', value: null, meaning: 'Only the styles inside the file apply.' },
  { name: 'img-src', value: 'data:', meaning: 'The only picture, its icon, is inside the file.' },
  {
    name: 'worker-src',
    value: 'blob:',
    meaning: 'Its background threads are made from the file and obey the same rules.',
  },
  { name: 'base-uri', value: "'none'", meaning: 'Addresses in it cannot be redirected.' },
];
