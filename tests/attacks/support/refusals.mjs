// Counts the blocks that modules of tests/attacks/refusing ask for in this thread, and refuses one of them.

/** How a block is refused: `null`, by the allocator; `growth`, by the engine, which has no more memory. */
export const REFUSALS = ['null', 'growth'];

const GROWTH = 1 + REFUSALS.indexOf('growth');

/**
 * Embind asks for a block for each string, and not whether it got one. It need not: emmalloc says no only to sizes
 * that no string has, as the engine's refusal of anything smaller ends the module.
 */
const IS_FOR_STRING = /pm_next_refusal.*\n(.*malloc.*\n)+.*(toWireType|BindingType<std)/;

export class Refusals {
  #kind = 0;
  #at = 0;
  #count = 0;
  #fired = false;

  /** @param at the number of the block from 1; 0 only counts */
  arm(kind, at) {
    this.#kind = 1 + REFUSALS.indexOf(kind);
    this.#at = at;
    this.#count = 0;
    this.#fired = false;
  }

  /** @returns how many blocks were asked for, and whether one was refused */
  disarm() {
    this.#kind = 0;
    return { blocks: this.#count, fired: this.#fired };
  }

  /** Called by the modules for each block. 0 gives it; 1 and 2 refuse it, in the order of `REFUSALS`. */
  next() {
    if (this.#kind === 0 || ++this.#count !== this.#at) return 0;
    this.#fired = true;
    return IS_FOR_STRING.test(new Error().stack) ? GROWTH : this.#kind;
  }
}
