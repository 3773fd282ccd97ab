/** Elements by their names. */
export type ElementClasses = Record<string, CustomElementConstructor>;

/** Registers elements; skips names that are already registered. */
export function register(elements: ElementClasses): void {
  for (const [name, element] of Object.entries(elements)) {
    if (customElements.get(name) === undefined) customElements.define(name, element);
  }
}
