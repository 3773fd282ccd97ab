/** ZSTD frames (RFC 8878), with their checksums. */
import { decompress } from 'fzstd';
import { xxh64 } from './xxh64.js';

/**
 * Unpacks one frame to exactly `size` bytes. The library goes over a checksum without looking at it.
 * @throws where the frame is damaged or does not have the checksum that it states
 */
export function unpackedFrame(frame: Uint8Array, size: number): Uint8Array {
  const content = decompress(frame, new Uint8Array(size));
  // Of no values nothing is stored, not even a frame.
  const hasChecksum = ((frame[4] ?? 0) & 4) !== 0;
  if (hasChecksum && Number(BigInt.asUintN(32, xxh64(content))) !== lastNumber(frame)) {
    throw new RangeError('checksum');
  }
  return content;
}

function lastNumber({ buffer, byteOffset, byteLength }: Uint8Array): number {
  return new DataView(buffer, byteOffset, byteLength).getUint32(byteLength - 4, true);
}

/** The content size that a frame states, if any (section 3.1.1.1). */
export function frameSize({ buffer, byteOffset, byteLength }: Uint8Array): number | undefined {
  const view = new DataView(buffer, byteOffset, byteLength);
  const flags = view.getUint8(4);
  const isSingle = (flags & 0x20) !== 0;
  const at = (isSingle ? 5 : 6) + ([0, 1, 2, 4][flags & 3] ?? 0);
  switch (flags >> 6) {
    case 1:
      return view.getUint16(at, true) + 256;
    case 2:
      return view.getUint32(at, true);
    case 3:
      return Number(view.getBigUint64(at, true));
    default:
      return isSingle ? view.getUint8(at) : undefined;
  }
}
