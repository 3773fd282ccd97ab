// Minifies what the builds write, all of it with the same settings.
import { minify } from 'terser';

/**
 * @param code of a module, or of a script if `module` is false
 * @param options `map`: the source map of `code`, as text
 * @returns the shorter code and, if there was a source map, its own, as text and with the texts of the sources
 */
export async function minified(code, { module = true, map } = {}) {
  const sourceMap = map === undefined ? false : { content: map, includeSources: true };
  const made = await minify(code, { module, compress: { passes: 3 }, sourceMap });
  return { code: made.code, map: made.map };
}
