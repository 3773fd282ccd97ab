import type { HTMLAttributes, PublicProps } from 'vue';
import type { PmElements } from './elements.js';
import type { Events, Properties, Tag } from './frameworks.js';

type Pascal<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${Pascal<Rest>}`
  : Capitalize<Name>;

type Listeners<T extends Tag> = {
  [E in keyof Events<T> & string as `on${Pascal<E>}`]?: ((event: Events<T>[E]) => void) | undefined;
};

type Props<T extends Tag> = Properties<T> & Listeners<T>;

type Elements = {
  [T in Tag]: new () => PmElements[T] & {
    /** What templates may set; Vue takes attributes for their properties. */
    $props: Omit<HTMLAttributes, keyof Props<T>> & Props<T> & PublicProps;
  };
};

/**
 * The elements in templates, as vue-tsc checks them.
 * @example
 * import type {} from 'private-moments/vue';
 */
declare module 'vue' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- merging takes an interface
  interface GlobalComponents extends Elements {}
}
