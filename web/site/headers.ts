/** Headers for hosts that take them from a file of the site, as Netlify and Cloudflare Pages do. */
import { readFileSync } from 'node:fs';

export const HEADERS = '_headers';

/** The content of an element that states a policy. */
const POLICY = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/;

/** What only a header can say: which sites may show the pages in a frame, what they may ask of the computer. */
const OTHERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), bluetooth=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * The text of the file. Its policy is that of the pages, which hold for files that workers are started from, too, and
 * allows the one script and style inside the saved copy, which states a stricter one itself.
 * @param saved the saved copy
 */
export function headersFor(saved: string): string {
  const head = readFileSync(new URL('frame/head.html', import.meta.url), 'utf8');
  const own = (name: string): string =>
    new RegExp(`${name} ('sha256-[^']*')`).exec(POLICY.exec(saved)?.[1] ?? '')?.[1] ?? '';
  const policy = (POLICY.exec(head)?.[1] ?? '')
    .replace('script-src ', `script-src ${own('script-src')} `)
    .replace('style-src ', `style-src ${own('style-src')} `);
  const headers = {
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    ...OTHERS,
  };
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
  const immutable = ['/assets/*', '  Cache-Control: public, max-age=31536000, immutable'];
  const fresh = ['/sw.js', '  Cache-Control: no-cache'];
  return ['/*', ...lines, ...immutable, ...fresh, ''].join('\n');
}
