import { wordlist } from '@scure/bip39/wordlists/english.js';

/**
 * Six English words that people can compare over the telephone: the first 66 bits of a digest, 11 bits a
 * word, from the BIP-39 list, whose words differ in their first four letters.
 */
export function fingerprint(digest: string): string {
  const bits = BigInt(`0x${digest}`) >> BigInt(256 - 66);
  const words = [55n, 44n, 33n, 22n, 11n, 0n].map(
    (shift) => wordlist[Number((bits >> shift) & 2047n)],
  );
  return words.join(' ');
}
