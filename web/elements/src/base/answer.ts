/** A worker's answer: a value, or a sentence on why there is none. */
export type Answer<T> = { value: T } | { error: string };
