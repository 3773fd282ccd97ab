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
