/** Removes the oldest entry of a map that holds more than `most`. */
export function evictOldest(map: Map<unknown, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most) map.delete(oldest);
}
