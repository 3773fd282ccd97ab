import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type {
  Received,
  Transport,
} from '../../../web/package/src/federation/transports/transport.js';

export const SESSION = 'ab'.repeat(32);
export const PID = '12'.repeat(32);

/** Bytes that begin like a message, followed by a text. */
export function message(text: string, size = 100): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(`PMR2${text}`));
  return bytes;
}

export const idOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
export const textOf = ({ bytes }: Received): string =>
  Buffer.from(bytes.subarray(4)).toString('utf8').replaceAll('\0', '');

/** The next messages of a transport; the next call goes on from there. */
export async function take(transport: Transport, count: number): Promise<string[]> {
  const texts: string[] = [];
  if (count === 0) return texts;
  for await (const received of transport.receive(AbortSignal.timeout(5000))) {
    expect(received.id).toBe(idOf(received.bytes));
    texts.push(textOf(received));
    if (texts.length === count) break;
  }
  return texts;
}

/** All messages that come within a moment. */
export async function takeAll(transport: Transport, milliseconds = 60): Promise<string[]> {
  const texts: string[] = [];
  for await (const received of transport.receive(AbortSignal.timeout(milliseconds))) {
    texts.push(textOf(received));
  }
  return texts;
}
