import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/**
 * By what a client is told from others: its IPv4 address, or the first 64 bits of its IPv6 address,
 * of which one client has all. Behind a proxy it is what that proxy wrote last into X-Forwarded-For;
 * anything before could be the client's own invention.
 */
export function clientOf(request: IncomingMessage, behindProxy: boolean): string {
  const direct = request.socket.remoteAddress ?? '';
  if (!behindProxy) return networkOf(direct);
  const forwarded = String(request.headers['x-forwarded-for'] ?? '');
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  return networkOf(isIP(last) === 0 ? direct : last);
}

export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address);
  if (mapped) return mapped[1] ?? '';
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':');
    // The last 32 bits written as an IPv4 address are two groups.
    const length = last.length + (tail.includes('.') ? 1 : 0);
    const zeros = Math.max(0, 8 - groups.length - length);
    groups.push(...Array<string>(zeros).fill('0'), ...last);
  }
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
