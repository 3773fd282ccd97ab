/** The headers of a site's file `_headers`, in the form that Netlify and Cloudflare Pages read. */

interface Rule {
  /** A path, or the beginning of paths if `isPrefix`. */
  path: string;
  isPrefix: boolean;
  headers: Record<string, string>;
}

/**
 * Reads the file: lines with a path, which may end with `*`, each followed by indented lines `Name: value`.
 * @returns the headers of a path of the site, which begins with `/`; of rules that state the same header, the last
 * one counts
 */
export function siteHeaders(text: string): (path: string) => Record<string, string> {
  const rules: Rule[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, name, value = ''] = /^\s+([\w-]+):\s*(.*)$/.exec(line) ?? [];
    const [path] = /^\/\S*/.exec(line) ?? [];
    const rule = rules.at(-1);
    if (name !== undefined && rule !== undefined) rule.headers[name] = value;
    else if (path !== undefined) {
      rules.push({ path: path.replace(/\*$/, ''), isPrefix: path.endsWith('*'), headers: {} });
    }
  }
  return (path) => {
    const matching = rules.filter((rule) =>
      rule.isPrefix ? path.startsWith(rule.path) : path === rule.path,
    );
    return Object.assign({}, ...matching.map(({ headers }) => headers)) as Record<string, string>;
  };
}
