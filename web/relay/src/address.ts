import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/**
 * Identifies a client: its IPv4 address, or the first 48 bits of its IPv6 address, because providers
 * give one customer as much. Behind a proxy this is the last address in X-Forwarded-For, which
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
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (IPV4_WITHIN.includes(groups.slice(0, 6).join(':'))) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  }
  return groups
    .slice(0, 3)
    .map((group) => group.toString(16))
    .join(':');
}

/** First 96 bits, in decimal, of IPv6 addresses that stand for an IPv4 address: ::ffff:0:0, 64:ff9b::. */
const IPV4_WITHIN = ['0:0:0:0:0:65535', '100:65435:0:0:0:0'];

/** The eight groups of 16 bits of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address
    .replace(/%.*$/, '')
    // The last 32 bits may be written as an IPv4 address, which makes two groups.
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
      const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
      return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    })
    .split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':');
    groups.push(...Array<string>(8 - groups.length - last.length).fill('0'), ...last);
  }
  return groups.map((group) => parseInt(group, 16));
}
