import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Addresses outside the folder. */
const ELSEWHERE = /^(?:https?:|mailto:|data:|blob:)/;

/**
 * The links and sources in the pages of a folder that lead to no file, or to no element of the page
 * they lead to, as `page: link`. Fragments are looked for in pages below `docs/`; those of other pages
 * are for their scripts. `except` names pages whose links are not read.
 */
export function brokenLinks(folder: string, except: readonly string[] = []): string[] {
  const ids = new Map<string, Set<string>>();
  const has = (page: string, id: string): boolean => {
    const known = ids.get(page) ?? idsOf(page);
    ids.set(page, known);
    return known.has(id);
  };
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && !except.includes(name))
    .map((name) => join(folder, name));
  return pages.flatMap((page) => {
    const links = [
      ...readFileSync(page, 'utf8').matchAll(/<[a-z][^>]*\s(?:href|src|srcset)="([^"\s]*)[^"]*"/g),
    ];
    return links.flatMap(([, link = '']) => {
      if (ELSEWHERE.test(link)) return [];
      const [path = '', fragment] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      const isInDocs = relative(folder, target).startsWith('docs');
      const isThere =
        existsSync(target) && (fragment === undefined || !isInDocs || has(target, fragment));
      return isThere ? [] : [`${relative(folder, page)}: ${link}`];
    });
  });
}

function idsOf(page: string): Set<string> {
  return new Set(
    [...readFileSync(page, 'utf8').matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id),
  );
}
