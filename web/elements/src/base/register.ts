import type { PmElements } from '../contract/elements.js';

/** The class of an element, with the elements that its templates contain. */
export interface ElementClass extends CustomElementConstructor {
  readonly parts?: ElementClasses;
}

/** Elements by their names. */
export type ElementClasses = Readonly<Record<string, ElementClass>>;

/** Registers elements and those that they contain; skips names that are already registered. */
export function register(elements: ElementClasses): void {
  for (const [name, element] of Object.entries(elements)) {
    if (element.parts !== undefined) register(element.parts);
    if (customElements.get(name) === undefined) customElements.define(name, element);
  }
}

/** Loads and registers one element and those that it contains. On a server it does nothing. */
export async function define<Name extends keyof PmElements>(
  name: Name,
  load: () => Promise<new () => PmElements[Name]>,
): Promise<void> {
  if ('customElements' in globalThis) register({ [name]: await load() });
}
