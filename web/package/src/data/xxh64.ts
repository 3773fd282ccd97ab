/** XXH64 with seed 0, the checksum of ZSTD frames (RFC 8878, section 3.1.1). */

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

const [P1_LOW, P1_HIGH] = halves(P1);
const [P2_LOW, P2_HIGH] = halves(P2);

const STRIPE = 32;
/** What each of the four lanes begins with, and how far it is rotated at the end. */
const LANES: readonly (readonly [bigint, bigint])[] = [
  [P1 + P2, 1n],
  [P2, 7n],
  [0n, 12n],
  [-P1, 18n],
];

/** The hash of the bytes, 0 to 2^64 - 1. */
export function xxh64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bytes.length;
  let at = size - (size % STRIPE);
  let hash = wrap((at === 0 ? P5 : mergedLanes(view, at)) + BigInt(size));
  for (; at + 8 <= size; at += 8) {
    hash = wrap(rotated(hash ^ round(view.getBigUint64(at, true)), 27n) * P1 + P4);
  }
  if (at + 4 <= size) {
    hash = wrap(rotated(hash ^ wrap(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < size; at++) {
    hash = wrap(rotated(hash ^ wrap(BigInt(view.getUint8(at)) * P5), 11n) * P1);
  }
  hash = wrap((hash ^ (hash >> 33n)) * P2);
  hash = wrap((hash ^ (hash >> 29n)) * P3);
  return hash ^ (hash >> 32n);
}

function mergedLanes(view: DataView, end: number): bigint {
  const lanes = LANES.map(([start], i) => laneOver(view, 8 * i, end, wrap(start)));
  const sum = lanes.reduce((all, lane, i) => all + rotated(lane, LANES[i]?.[1] ?? 0n), 0n);
  return lanes.reduce((hash, lane) => wrap((hash ^ round(lane)) * P1 + P4), wrap(sum));
}

/** One lane over its eight bytes of every stripe. In halves of 32 bits, as integers of 64 take many times as long. */
function laneOver(view: DataView, begin: number, end: number, start: bigint): bigint {
  let [low, high] = halves(start);
  for (let at = begin; at < end; at += STRIPE) {
    const inputLow = view.getInt32(at, true);
    const inputHigh = view.getInt32(at + 4, true);
    const sum = (low >>> 0) + (Math.imul(inputLow, P2_LOW) >>> 0);
    const carry = sum > 0xffffffff ? 1 : 0;
    const product =
      upper(inputLow, P2_LOW) + Math.imul(inputLow, P2_HIGH) + Math.imul(inputHigh, P2_LOW);
    high = (high + product + carry) | 0;
    low = sum | 0;
    const rotatedLow = (low << 31) | (high >>> 1);
    const rotatedHigh = (high << 31) | (low >>> 1);
    low = Math.imul(rotatedLow, P1_LOW);
    high =
      (upper(rotatedLow, P1_LOW) +
        Math.imul(rotatedLow, P1_HIGH) +
        Math.imul(rotatedHigh, P1_LOW)) |
      0;
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** The upper 32 bits of the product of two numbers of 32 bits without sign. */
function upper(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const middle = Math.imul(a1, b0) + (Math.imul(a0, b0) >>> 16);
  const other = Math.imul(a0, b1) + (middle & 0xffff);
  return Math.imul(a1, b1) + (middle >>> 16) + (other >>> 16);
}

/** The lower and the upper 32 bits. */
function halves(value: bigint): [number, number] {
  return [Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n))];
}

function round(input: bigint): bigint {
  return wrap(rotated(wrap(input * P2), 31n) * P1);
}

function rotated(value: bigint, by: bigint): bigint {
  return wrap(value << by) | (value >> (64n - by));
}

function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}
