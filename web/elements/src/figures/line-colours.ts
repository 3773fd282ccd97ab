/** Colours of lines, see `slotStyles`. More than lines in any figure, so that some are to spare. */
const SLOTS = 8;

/** The mechanisms drawn at first, each at the place of its colour. */
export const FIRST_LINES: readonly string[] = [
  'gaussian',
  'two-sided-wishart',
  'laplace',
  'eigenvector-sampling',
  'symmetric-noise',
];

/**
 * The colour of each mechanism. A mechanism keeps it while it is not drawn, and until all colours have been
 * given and the newest mechanism needs one: then the one that was drawn longest ago loses its own.
 */
export class LineColours {
  /** The slots of mechanisms, in the order in which they were last drawn. */
  readonly #slots = new Map(FIRST_LINES.map((name, slot) => [name, slot]));

  /**
   * The slot of a mechanism.
   * @param drawn the mechanisms that are drawn, fewer than there are slots
   */
  slotOf(name: string, drawn: readonly string[]): number {
    const slot = this.#slots.get(name) ?? this.#free(drawn);
    this.#slots.delete(name);
    this.#slots.set(name, slot);
    return slot;
  }

  #free(drawn: readonly string[]): number {
    const used = new Set(this.#slots.values());
    const unused = Array.from({ length: SLOTS }, (_, slot) => slot).find((slot) => !used.has(slot));
    if (unused !== undefined) return unused;
    const [oldest, slot] = [...this.#slots].find(([name]) => !drawn.includes(name)) ?? ['', 0];
    this.#slots.delete(oldest);
    return slot;
  }
}
