import type { HTMLAttributes } from 'preact';
import type { PmElements } from './elements.js';
import type { Attributes, Events, Properties, Tag } from './frameworks.js';

type Listeners<T extends Tag> = {
  [E in keyof Events<T> & string as `on${E}`]?: ((event: Events<T>[E]) => void) | undefined;
};

type Own<T extends Tag> = Properties<T> & Attributes<T> & Listeners<T>;

type Elements = { [T in Tag]: Omit<HTMLAttributes<PmElements[T]>, keyof Own<T>> & Own<T> };

/**
 * The elements in JSX of Preact, which sets properties of elements that are defined, and attributes of others.
 * @example
 * import type {} from 'private-moments/preact';
 */
declare module 'preact' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- where Preact declares elements
  namespace JSX {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- merging takes an interface
    interface IntrinsicElements extends Elements {}
  }
}
