import type { PmElements } from './elements.js';
import type { PmMarkup } from './markup.js';

/** What the types of the elements in frameworks are made of. */
export type Tag = keyof PmElements;

/** The properties of an element, each of which may be missing. */
export type Properties<T extends Tag> = {
  [K in PmMarkup[T]['properties'] & keyof PmElements[T]]?: PmElements[T][K] | undefined;
};

/** The attributes of an element whose names are not those of their properties. */
export type Attributes<T extends Tag> = {
  [A in Exclude<keyof PmMarkup[T]['attributes'], keyof Properties<T>>]?: AttributeOf<
    PmElements[T][PmMarkup[T]['attributes'][A] & keyof PmElements[T]]
  >;
};

type AttributeOf<V> = V extends number
  ? number | string
  : V extends boolean
    ? boolean | ''
    : V extends string | undefined
      ? V
      : string;

/** The events that an element sends, by name. */
export type Events<T extends Tag> = {
  [E in PmMarkup[T]['events']]: HTMLElementEventMap[E];
};
