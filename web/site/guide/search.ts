import type MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';
import type { Section } from './sections.js';

/** How many results are shown. */
const SHOWN = 12;
/** How much text around what was found is shown, in characters. */
const AROUND = 70;
/** Letters of formulas, by which their names are found, too. */
const LETTERS = new Map([
  ['ε', 'epsilon'],
  ['δ', 'delta'],
  ['μ', 'mu'],
  ['ρ', 'rho'],
  ['σ', 'sigma'],
]);

/** Words that say nothing about what is looked for. */
const STOP_WORDS = new Set(
  'a an and are as at be but by can do does for from has have how i if in into is it its me my of on or our so that the their then there this to was we what when where which who why will with you your'.split(
    ' ',
  ),
);
/** Other words for what these pages call something else. */
const SYNONYMS = new Map([
  ['confidence', 'interval'],
  ['citation', 'cite'],
  ['citing', 'cite'],
]);
/** How much sooner pages that explain come than others. */
const BOOSTS = new Map([
  ['Tutorial', 1.5],
  ['How-to', 1.5],
  ['Explanation', 1.4],
]);

type Found = SearchResult & Section;
/** The index, made when the search is first used. */
type Index = MiniSearch<Section>;

/** Lets the field of a page search the text of all pages, in this tab. */
export function openSearch(box: HTMLElement): void {
  const field = box.querySelector('input');
  const list = box.querySelector<HTMLElement>('#results');
  const status = box.querySelector<HTMLElement>('#found');
  if (field === null || list === null || status === null) return;
  const docs = new URL(box.dataset.docs ?? '', location.href);
  let index: Promise<Index> | undefined;
  let asked = 0;

  const close = (): void => {
    asked++;
    list.hidden = true;
    status.textContent = '';
  };

  const find = async (): Promise<void> => {
    const query = field.value.trim();
    const turn = ++asked;
    if (query === '') {
      close();
      return;
    }
    const found = await (index ??= loadIndex(docs)).then(
      (ready) => search(ready, query),
      () => {
        index = undefined;
        return undefined;
      },
    );
    // Only the latest question is answered.
    if (turn !== asked) return;
    list.hidden = false;
    if (found === undefined) {
      list.replaceChildren(
        note('The text of the pages could not be loaded. Check your connection.'),
      );
    } else if (found.length === 0) {
      list.replaceChildren(note(`Nothing found for “${query}”.`));
    } else {
      const results = document.createElement('ol');
      results.append(...found.slice(0, SHOWN).map((one) => resultOf(one, docs)));
      list.replaceChildren(results);
    }
    status.textContent =
      found === undefined || found.length === 0
        ? list.textContent
        : found.length === 1
          ? '1 result'
          : `${found.length} results`;
  };

  field.addEventListener('focus', () => {
    index ??= loadIndex(docs).catch((error: unknown) => {
      index = undefined;
      throw error;
    });
    index.catch(() => undefined);
    if (field.value !== '' && list.hidden) void find();
  });
  field.addEventListener('input', () => void find());
  box.addEventListener('keydown', (event) => {
    moveBy(event, field, list, close);
  });
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !box.contains(relatedTarget)) close();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !box.contains(target)) close();
  });
  list.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
  box.classList.add('ready');
}

/** Arrow keys move through the results, Enter opens the first, Escape closes them. */
function moveBy(
  event: KeyboardEvent,
  field: HTMLInputElement,
  list: HTMLElement,
  close: () => void,
): void {
  const links = list.hidden ? [] : [...list.querySelectorAll('a')];
  const at = links.findIndex((link) => link === document.activeElement);
  if (event.key === 'Escape') {
    field.focus();
    field.value = '';
    close();
  } else if (event.key === 'Enter' && at < 0 && links[0] !== undefined) {
    links[0].click();
  } else if (event.key === 'ArrowDown' && at < links.length - 1) {
    links[at + 1]?.focus();
  } else if (event.key === 'ArrowUp' && at >= 0) {
    (links[at - 1] ?? field).focus();
  } else {
    return;
  }
  event.preventDefault();
}

async function loadIndex(docs: URL): Promise<Index> {
  const [{ default: Search }, response] = await Promise.all([
    import('minisearch'),
    fetch(new URL('search.json', docs)),
  ]);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const index = new Search<Section>({
    idField: 'address',
    fields: ['page', 'heading', 'text'],
    storeFields: ['address', 'page', 'part', 'heading', 'text'],
    // A page comes before its sections.
    extractField: (section, name) =>
      name === 'heading' && section.heading === '' ? section.page : section[name as keyof Section],
    // Terms are letters and digits alone, which have no other meaning in a pattern.
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u),
    processTerm,
    searchOptions: {
      boost: { page: 3, heading: 4 },
      boostDocument: (_address, _term, section) => boostOf(section as Partial<Section>),
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  await index.addAllAsync((await response.json()) as Section[]);
  return index;
}

/** A word as the index has it: without case and plural; nothing for a word that says nothing. */
function processTerm(term: string): string | undefined {
  const lower = term.toLowerCase();
  if (lower === '' || STOP_WORDS.has(lower)) return undefined;
  const one = /^.{3,}[^isu]s$/u.test(lower) ? lower.slice(0, -1) : lower;
  return LETTERS.get(one) ?? SYNONYMS.get(one) ?? one;
}

function boostOf({ part = '', address = '' }: Partial<Section>): number {
  return address.startsWith('api/') ? 0.7 : (BOOSTS.get(part) ?? 1);
}

/** The sections that have all words, or where there are none, some of them; whole words come before parts of words. */
function search(index: Index, query: string): Found[] {
  const found = (combineWith: 'AND' | 'OR'): Found[] => {
    const whole = index.search(query, { combineWith, prefix: false, fuzzy: false });
    const known = new Set(whole.map(({ id }) => String(id)));
    const others = index.search(query, { combineWith });
    return [...whole, ...others.filter(({ id }) => !known.has(String(id)))] as Found[];
  };
  const all = found('AND');
  return all.length > 0 ? all : found('OR');
}

function resultOf({ address, page, heading, text, terms }: Found, docs: URL): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(address, docs).href;
  const title = document.createElement('span');
  title.className = 'title';
  title.textContent = heading === '' ? page : heading;
  const where = document.createElement('span');
  where.className = 'where';
  where.textContent = heading === '' ? '' : page;
  const excerpt = document.createElement('span');
  excerpt.className = 'excerpt';
  excerpt.append(...excerptOf(text, terms));
  link.append(title, where, excerpt);
  item.append(link);
  return item;
}

/** The text around the first of the terms that it has, with the terms marked. */
function excerptOf(text: string, terms: string[]): (string | HTMLElement)[] {
  const pattern = new RegExp(`(${terms.join('|')})`, 'giu');
  const first = Math.max(0, text.search(pattern) - AROUND / 2);
  const start = first === 0 ? 0 : text.indexOf(' ', first) + 1;
  const end =
    text.length > start + 2 * AROUND ? text.lastIndexOf(' ', start + 2 * AROUND) : text.length;
  const parts = text.slice(start, Math.max(end, start)).split(pattern);
  return [
    start > 0 ? '… ' : '',
    ...parts.map((part, i) => {
      if (i % 2 === 0) return part;
      const mark = document.createElement('mark');
      mark.textContent = part;
      return mark;
    }),
    end < text.length ? ' …' : '',
  ];
}

function note(text: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  return paragraph;
}
