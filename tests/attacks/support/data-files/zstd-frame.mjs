// Zstandard frames of blocks as given (RFC 8878), as no compressor is available in Node 20.

const MAX_BLOCK = 1 << 17;

const RAW = 0;
const RUN = 1;
export const COMPRESSED = 2;

/** A block of a type and a size as stated. */
export function block(type, size, body, isLast = true) {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(Number(isLast) | (type << 1) | (size << 3));
  return Buffer.concat([head.subarray(0, 3), Uint8Array.from(body)]);
}

/** A frame of one segment that states its size. */
export function frame(blocks, size) {
  const head = Buffer.alloc(9);
  head.writeUInt32LE(0xfd2fb528);
  head[4] = 0xa0;
  head.writeUInt32LE(size, 5);
  return Buffer.concat([head, ...blocks]);
}

/** A frame of stored bytes. */
export function stored(bytes) {
  return frame([block(RAW, bytes.length, bytes)], bytes.length);
}

/** A frame of zeros, a byte for some 30 000 of them; `stated` is the size that it states. */
export function zeros(size, stated = size) {
  const blocks = [];
  for (let at = 0; at < size; at += MAX_BLOCK) {
    const length = Math.min(MAX_BLOCK, size - at);
    blocks.push(block(RUN, length, [0], at + length === size));
  }
  return frame(blocks, stated);
}

/** What `zstd --check` 1.5 made of 64 doubles of 40; the last four bytes are the checksum of the content. */
export const CHECKED = Buffer.from('KLUv/WQAAYUAACgAAERAAAMA7ysKABkBwALF5eQb', 'base64');

/** The frame with one bit of its content changed, or of its checksum, or without a byte of that. */
export const CHECKED_DAMAGED = {
  // Each 40 becomes 42.
  'another content': Buffer.from(CHECKED).fill(CHECKED[13] ^ 1, 13, 14),
  'another checksum': Buffer.from(CHECKED).fill(CHECKED.at(-1) ^ 1, CHECKED.length - 1),
  'a part of its checksum': CHECKED.subarray(0, -1),
};

/** The frame, and the one with another content, without their checksums. */
export const UNCHECKED = [CHECKED, CHECKED_DAMAGED['another content']].map((checked) => {
  const bytes = Buffer.from(checked.subarray(0, -4));
  bytes[4] &= ~4;
  return bytes;
});

/** Compressed blocks of 20 bytes that keep an unbounded decoder busy for minutes, or for ever. */
export const ENDLESS = {
  // Weights of Huffman codes by a table in which one symbol takes no bits.
  weights: [0xa2, 0x00, 0x05, 10, 0xf0, ...Array(8).fill(0xff), 1, ...Array(20).fill(0xff)],
  // 98 000 sequences that copy 65 kB each.
  sequences: [0, 0xff, 0xff, 0xff, 0x54, 0, 0, 52, ...Array(16).fill(0xff)],
  // The same, with a length code that there is not.
  codes: [0, 0xff, 0xff, 0xff, 0x54, 0x7d, 0, 0x34, ...Array(16).fill(0xff)],
};
