import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { PmElements } from './elements.js';
import type { Attributes, Events, Properties, Tag } from './frameworks.js';

type Listeners<T extends Tag> = {
  [E in keyof Events<T> & string as `on${E}`]?: ((event: Events<T>[E]) => void) | undefined;
};

type Own<T extends Tag> = Properties<T> & Attributes<T> & Listeners<T>;

type Html<T extends Tag> = DetailedHTMLProps<HTMLAttributes<PmElements[T]>, PmElements[T]>;

type Elements = { [T in Tag]: Omit<Html<T>, keyof Own<T>> & Own<T> };

/**
 * The elements in JSX. React 19 sets properties and listens to events; React 18 sets attributes alone, so that there
 * objects and listeners go through a ref.
 * @example
 * import type {} from 'private-moments/react';
 */
declare module 'react' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- where React declares elements
  namespace JSX {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- merging takes an interface
    interface IntrinsicElements extends Elements {}
  }
}
