// Which steps of a job to fail at.

/**
 * @param whole the job undisturbed: its number of steps and, in their order, their places
 * @returns the numbers of all steps, from 1; of a job that repeats itself the first, a middle and the last at each
 * place; in a miniature one at random
 */
export function chosen({ steps, places }, { isRepetitive = false }, quick, random) {
  const all = Array.from({ length: steps }, (_, i) => i + 1);
  if (quick) return [all[Math.floor(random() * steps)]].filter(Boolean);
  if (!isRepetitive) return all;
  const byPlace = grouped(all, places);
  const some = (list) => [list[0], list[list.length >> 1], list.at(-1)];
  return [...new Set([...byPlace.values()].flatMap(some))].sort((a, b) => a - b);
}

function grouped(all, places) {
  const byPlace = new Map();
  for (const at of all) {
    const place = places[at - 1];
    byPlace.set(place, [...(byPlace.get(place) ?? []), at]);
  }
  return byPlace;
}
