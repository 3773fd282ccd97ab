// What the checks of the documentation read from Markdown: its code blocks, links and anchors.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import markdownIt from 'markdown-it';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const markdown = markdownIt({ html: true });

/** Every Markdown file of the repository, as paths from the root. */
export function documents() {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
}

/** README, those of the packages, and the pages of the guide: their code blocks are run. */
export function pages() {
  return documents().filter((file) => /^(?:docs\/.*|web\/\w+\/README|README)\.md$/.test(file));
}

/**
 * A fenced code block. `line` is where it opens, from 1; `language` and `flags` are the words after
 * the fence.
 *
 * @typedef {{ line: number, language: string, flags: string[], code: string }} Block
 */

/** @returns {Block[]} the fenced code blocks of a Markdown text, in order */
export function blocks(text) {
  return markdown
    .parse(text, {})
    .filter(({ type }) => type === 'fence')
    .map(({ info, content, map }) => {
      const [language = '', ...flags] = info.trim().split(/\s+/);
      return { line: map[0] + 1, language, flags, code: content };
    });
}

/** Languages that a test runs, or checks in another way. */
export const CHECKED = ['ts', 'js', 'mjs', 'sh', 'json', 'html', 'jsx', 'python', 'r', 'cpp'];
/** Languages of text that is only read: file formats, configuration of other programs. */
const READ = ['text', 'csv', 'nginx', 'caddy', 'ini', 'cmake'];
const FLAGS = {
  ts: ['continued'],
  js: ['continued'],
  mjs: ['continued'],
  sh: ['by-hand'],
  text: ['output', 'exact'],
};
const SCRIPTS = ['ts', 'js', 'mjs'];
/** `within=0.06`: how far the decimals of an output may be from those that are printed there. */
const WITHIN = /^within=(\d+(?:\.\d+)?)$/;

/**
 * A block to run. `code` holds the blocks that it continues, too; `output` is what the page says all of
 * it prints, undefined where it says nothing, and `allowed` how far each line of it may be from that.
 *
 * @typedef {{ line: number, language: string, code: string, byHand: boolean, output?: string, allowed: Allowed[] }} Program
 */

/**
 * The programs of a page, in order. A block marked `continued` goes on from the script before it, and
 * `text output` is what the block before it prints.
 *
 * @returns {Program[]}
 */
export function programs(text) {
  const found = [];
  for (const { line, language, flags, code } of blocks(text)) {
    if (![...CHECKED, ...READ].includes(language)) {
      throw new Error(
        `line ${line}: a code block needs a language that is known, not "${language}"`,
      );
    }
    const within = flags.map((flag) => WITHIN.exec(flag)?.[1]).find(Boolean);
    const isOutput = flags.includes('output');
    const strange = flags.find(
      (flag) => !(FLAGS[language] ?? []).includes(flag) && !(isOutput && WITHIN.test(flag)),
    );
    if (strange !== undefined) throw new Error(`line ${line}: ${language} has no flag ${strange}`);
    if (isOutput) {
      const last = found.at(-1)?.parts.at(-1);
      if (last === undefined || last.output !== undefined) {
        throw new Error(`line ${line}: output without a program before it`);
      }
      last.output = code;
      last.exact = flags.includes('exact');
      last.within = within === undefined ? undefined : Number(within);
    } else if (flags.includes('continued')) {
      const script = found.findLast((one) => SCRIPTS.includes(one.language));
      if (script === undefined) throw new Error(`line ${line}: continues no script`);
      found.splice(found.indexOf(script), 1);
      found.push({ ...script, line, language, parts: [...script.parts, { code }] });
    } else if (CHECKED.includes(language)) {
      found.push({ line, language, byHand: flags.includes('by-hand'), parts: [{ code }] });
    }
  }
  return found.map(({ parts, ...program }) => ({ ...program, ...joined(parts) }));
}

/** Blocks as one program. Those of which the page does not say what they print may print anything. */
function joined(parts) {
  const code = parts.map((part) => part.code).join('\n');
  if (parts.every(({ output }) => output === undefined)) {
    return { code, output: undefined, allowed: [] };
  }
  const stated = parts.map(({ output = ANY, ...part }) => ({ ...part, lines: linesOf(output) }));
  return {
    code,
    output: `${stated.flatMap(({ lines }) => lines).join('\n')}\n`,
    allowed: stated.flatMap(({ lines, exact, within }) => lines.map(() => ({ exact, within }))),
  };
}

/** A line that stands for any lines, also none. */
const ANY = '...';
const DECIMAL = /-?\d+\.\d+/g;

/** Lines without spaces at their ends or more than one anywhere. */
const linesOf = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '));

/**
 * How far a line that is printed may be from one that is stated. `exact` allows no difference. Otherwise, as
 * noise is drawn again each time, numbers with a decimal point may differ by `within`, if that is undefined
 * by 0.1 or by a fifth where that is more; everything else must be equal, but for the number of spaces.
 *
 * @typedef {{ exact?: boolean, within?: number }} Allowed
 */

/** @param {Allowed} allowed */
function isLine(got, want, { exact = false, within } = {}) {
  if (exact) return got === want;
  if (got.replace(DECIMAL, '#') !== want.replace(DECIMAL, '#')) return false;
  const [a, b] = [got, want].map((line) => (line.match(DECIMAL) ?? []).map(Number));
  const most = (value) => within ?? Math.max(0.1, Math.abs(value) / 5);
  return a.every((value, i) => Math.abs(value - b[i]) <= most(b[i]) + 1e-9);
}

/**
 * Whether a program printed what its page says. A line `...` stands for any lines.
 *
 * @param {Allowed | Allowed[]} allowed for all lines, or for each
 */
export function isOutput(printed, stated, allowed = {}) {
  const [got, want] = [printed, stated].map(linesOf);
  const limit = (line) => (Array.isArray(allowed) ? allowed[line] : allowed);
  /** Whether the lines from `i` on are those from `j` on. */
  const matches = (i, j) => {
    if (j === want.length) return i === got.length;
    if (want[j] === ANY) {
      return Array.from({ length: got.length - i + 1 }).some((_, more) => matches(i + more, j + 1));
    }
    return i < got.length && isLine(got[i], want[j], limit(j)) && matches(i + 1, j + 1);
  };
  return matches(0, 0);
}

/** The fragment of a heading, formed as code hosts form it. */
function slugOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** The fragments that a Markdown text has, of headings and of `id` in HTML. */
export function anchors(text) {
  const found = new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id));
  const times = new Map();
  const tokens = markdown.parse(text, {});
  tokens.forEach(({ type }, i) => {
    if (type !== 'heading_open') return;
    const words = tokens[i + 1].children.map(({ content }) => content).join('');
    const slug = slugOf(words);
    const before = times.get(slug) ?? 0;
    times.set(slug, before + 1);
    found.add(before === 0 ? slug : `${slug}-${before}`);
  });
  return found;
}

/** The targets of the links and pictures in a Markdown text, HTML included. */
export function links(text) {
  const found = [];
  const visit = (tokens) => {
    for (const token of tokens) {
      if (token.type === 'link_open') found.push(token.attrGet('href'));
      if (token.type === 'image') found.push(token.attrGet('src'));
      if (/^html_/.test(token.type)) {
        for (const [, to] of token.content.matchAll(/\b(?:href|src)="([^"]+)"/g)) found.push(to);
      }
      if (token.children) visit(token.children);
    }
  };
  visit(markdown.parse(text, {}));
  return found;
}

/** Links of a file that lead to no file or to no heading of it; links to other sites are left out. */
export function brokenLinks(file, read) {
  return links(read(file)).filter((link) => {
    if (/^(?:https?|mailto):/.test(link)) return false;
    const [to, fragment] = decodeURI(link).split('#');
    const target = to === '' ? file : path.posix.join(path.posix.dirname(file), to);
    const text = read(target);
    if (text === undefined) return true;
    return fragment !== undefined && !anchors(text).has(fragment);
  });
}
