import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;
type Graph = Parameters<Extract<Group['name'], (...args: never[]) => unknown>>[1];

/** Above the number of rooms: what this number of pages import, those of the documentation do, too. */
const EVERY_PAGE = 40;
/** Bytes of a module that files loaded later share in one file of all rooms. */
const MOST_LATER = 20_000;

/**
 * The scripts that pages share: few, as each costs a request. The first is what every page has, the second
 * what needs nothing of the package, so that pages of text do not load it. None imports a later one.
 * @param packageFolder the folder of the built package
 * @param guideFolder that of the documentation's own scripts, which no room may run
 */
export function sharedFiles(packageFolder: string, guideFolder: string): Group[] {
  const known = new Map<string, boolean>();
  const reachesPackage = (id: string, graph: Graph): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    // A module that is being looked at adds nothing, should it be imported by what it imports.
    known.set(id, false);
    const imported = graph.getModuleInfo(id)?.importedIds ?? [];
    const reaches =
      id.startsWith(packageFolder) || imported.some((next) => reachesPackage(next, graph));
    known.set(id, reaches);
    return reaches;
  };
  const groups: Group[] = [
    { name: 'frame', minShareCount: EVERY_PAGE },
    { name: (id, graph) => (reachesPackage(id, graph) ? null : 'elements'), minShareCount: 2 },
    { name: 'package', minShareCount: 2 },
  ];
  const initial = groups.map((group, i) => ({
    ...group,
    priority: groups.length - i,
    tags: ['$initial' as const],
    test: (id: string) => !id.startsWith(guideFolder),
  }));
  // What is loaded later is in few files, too, as long as nobody loads much that is not used.
  const later: Group = {
    name: 'later',
    minShareCount: 2,
    maxModuleSize: MOST_LATER,
    priority: 0,
    test: (id) => !id.startsWith(guideFolder),
  };
  return [...initial, later];
}
