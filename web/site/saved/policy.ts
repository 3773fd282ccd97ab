/** A part of the saved copy's content policy, and what it means. */
export interface Rule {
  name: string;
  /** Follows the name; null for the hash of an inline text. */
  value: string | null;
  meaning: string;
}

/** The content policy of the saved copy: it loads nothing, not even from where it is. */
export const RULES: readonly Rule[] = [
  { name: 'default-src', value: "'none'", meaning: 'Nothing is loaded.' },
  {
    name: 'connect-src',
    value: "'none'",
    meaning: 'No request to any address, including the site the file came from.',
  },
  { name: 'form-action', value: "'none'", meaning: 'No form can be sent.' },
  {
    name: 'script-src',
    value: null,
    meaning: 'Only the program inside runs. It may run WebAssembly, which its engine is.',
  },
  { name: 'style-src', value: null, meaning: 'Only the styles inside apply.' },
  { name: 'img-src', value: 'data:', meaning: 'Only its icon, which is inside.' },
  {
    name: 'worker-src',
    value: 'blob:',
    meaning: 'Its threads come from the file and obey the same rules.',
  },
  { name: 'base-uri', value: "'none'", meaning: 'Its links cannot be redirected.' },
  {
    name: 'require-trusted-types-for',
    value: "'script'",
    meaning: 'No text becomes a program or a part of the page,',
  },
  {
    name: 'trusted-types',
    value: 'lit-html private-moments',
    meaning: 'except by these two places in it.',
  },
];
