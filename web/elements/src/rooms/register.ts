/** Elements by their names. */
export type Named = Record<string, CustomElementConstructor>;

/** Registers elements; those whose names are taken stay as they are. */
export function register(elements: Named): void {
  for (const [name, element] of Object.entries(elements)) {
    if (customElements.get(name) === undefined) customElements.define(name, element);
  }
}
