export declare const COMPRESSED: number;
export declare function block(
  type: number,
  size: number,
  body: readonly number[],
  isLast?: boolean,
): Buffer;
export declare function frame(blocks: readonly Buffer[], size: number): Buffer;
export declare function stored(bytes: Uint8Array): Buffer;
export declare function zeros(size: number, stated?: number): Buffer;
export declare const ENDLESS: {
  weights: readonly number[];
  sequences: readonly number[];
  codes: readonly number[];
};
export const CHECKED: Uint8Array;
export const CHECKED_DAMAGED: Record<string, Uint8Array>;
export const UNCHECKED: Uint8Array[];
