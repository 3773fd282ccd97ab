import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/**
 * Identifies a client: its IPv4 address, or the first 64 bits of its IPv6 address, because one client
 * has all addresses that share them. Behind a proxy this is the last address in X-Forwarded-For, which
 * the proxy wrote; the client could have forged the earlier ones.
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
    // The last 32 bits may be written as an IPv4 address, which makes two groups.
    const length = last.length + (tail.includes('.') ? 1 : 0);
    const zeros = Math.max(0, 8 - groups.length - length);
    groups.push(...Array<string>(zeros).fill('0'), ...last);
  }
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
