/** Forgets what came into a map first, where it now holds more than so many. */
export function forgetOldest(map: Map<unknown, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most) map.delete(oldest);
}
