import { basename, dirname } from 'node:path';
import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;
type Graph = Parameters<Extract<Group['name'], (...args: never[]) => unknown>>[1];

/** Above the number of rooms: what this number of pages import, those of the documentation do, too. */
const EVERY_PAGE = 40;

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
  const later: Group = {
    name: (id, graph) => roomOf(id, graph) ?? null,
    minShareCount: 2,
    priority: 0,
    test: (id) => !id.startsWith(guideFolder),
  };
  return [...initial, later];
}

/**
 * The folder of the room for which a module is loaded later, in several files of its own: these share it as
 * one, which nobody loads before the room. Undefined for a module that several rooms load later.
 */
function roomOf(id: string, graph: Graph): string | undefined {
  const starts = laterStartsOf(id, graph);
  const isAfter = (start: string): boolean =>
    (graph.getModuleInfo(start)?.dynamicImporters ?? []).some((importer) =>
      laterStartsOf(importer, graph).some((before) => starts.includes(before)),
    );
  /** Whether it begins a file with another of these in it, as the list of all rooms does. */
  const isWider = (start: string): boolean =>
    starts.some((other) => other !== start && above(other, graph).has(start));
  const [first, ...others] = starts.filter((start) => !isAfter(start) && !isWider(start));
  return first === undefined || others.length > 0 ? undefined : basename(dirname(first));
}

/** The modules that begin a file, loaded after a page, with this module in it. */
function laterStartsOf(id: string, graph: Graph): string[] {
  return [...above(id, graph)].filter(
    (module) => (graph.getModuleInfo(module)?.dynamicImporters.length ?? 0) > 0,
  );
}

/** A module and all that import it from the start. */
function above(id: string, graph: Graph): Set<string> {
  const seen = new Set([id]);
  for (const module of seen) {
    for (const importer of graph.getModuleInfo(module)?.importers ?? []) seen.add(importer);
  }
  return seen;
}
