import type { JSX } from 'solid-js';
import type { PmElements } from './elements.js';
import type { Attributes, Events, Properties, Tag } from './frameworks.js';

/** Solid sets `prop:name` as the property of that name, and `name` as one whose name it writes in lower case. */
type Settable<T extends Tag> = {
  [K in keyof Properties<T> & string as K extends Lowercase<K> ? K : never]?: Properties<T>[K];
} & {
  [K in keyof Properties<T> & string as `prop:${K}`]?: Properties<T>[K];
};

type Listeners<T extends Tag> = {
  [E in keyof Events<T> & string as `on:${E}`]?: ((event: Events<T>[E]) => void) | undefined;
};

type Own<T extends Tag> = Settable<T> & Attributes<T> & Listeners<T>;

type Elements = { [T in Tag]: Omit<JSX.HTMLAttributes<PmElements[T]>, keyof Own<T>> & Own<T> };

/**
 * The elements in JSX of Solid. Names with capitals are set as `prop:budgetEpsilon` or as their attribute,
 * `budget-epsilon`; events are `on:pm-release`.
 * @example
 * import type {} from 'private-moments/solid';
 */
declare module 'solid-js' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- where Solid declares elements
  namespace JSX {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- merging takes an interface
    interface IntrinsicElements extends Elements {}
  }
}
