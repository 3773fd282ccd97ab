import type { HTMLAttributes } from 'svelte/elements';
import type { PmElements } from './elements.js';
import type { Attributes, Events, Properties, Tag } from './frameworks.js';

/** `onpm-study` of Svelte 5, `on:pm-study` of Svelte 4. */
type Listeners<T extends Tag> = {
  [E in keyof Events<T> & string as `on${E}` | `on:${E}`]?:
    ((event: Events<T>[E]) => void) | undefined;
};

type Own<T extends Tag> = Properties<T> & Attributes<T> & Listeners<T>;

type Elements = { [T in Tag]: Omit<HTMLAttributes<PmElements[T]>, keyof Own<T>> & Own<T> };

/**
 * The elements in components, as svelte-check checks them.
 * @example
 * import type {} from 'private-moments/svelte';
 */
declare module 'svelte/elements' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- merging takes an interface
  interface SvelteHTMLElements extends Elements {}
}
