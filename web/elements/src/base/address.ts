/** Whether the fragment of an address carries a part of that name: `study`, `session` or `keys`. */
export function hasPart(address: string, part: string): boolean {
  return new URLSearchParams(address.slice(address.indexOf('#') + 1)).has(part);
}
