// Fills the generated blocks of the pages in docs/experiments from the CSVs of results:
//   <!-- results: NAME -->
//   ...
//   <!-- end -->
// NAME is a table of the paper, or `claims`.

const VERDICTS = ['agrees', 'in part', 'does not agree', 'not tested'];

/** A Markdown table. Cells are texts; the first column is left-aligned, others are right-aligned. */
export function table(head, rows, { left = 1 } = {}) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = `|${head.map((_, i) => (i < left ? '---|' : '--:|')).join('')}`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** The mean of a quantity with half the width of its interval: `0.53 ± 0.02`. */
export function withMargin(row, name, digits = 2) {
  const margin = (row[`${name}_high`] - row[`${name}_low`]) / 2;
  const value = row[name].toFixed(digits);
  return Number.isFinite(margin) && margin > 0 ? `${value} ± ${margin.toFixed(digits)}` : value;
}

function claims(paper, csv) {
  const rows = paper.claims.map(({ claim, where, ours, verdict }) => {
    const found = verdict(csv);
    if (!VERDICTS.includes(found)) throw new Error(`${paper.name}: ${found} is not a verdict`);
    return [claim, `**${found}**`, ours(csv), where ?? ''];
  });
  return table(
    [`what ${paper.own ? 'we' : 'they'} say`, 'verdict', 'what we find', 'where'],
    rows,
    { left: 4 },
  );
}

/** How many of a paper's claims got each verdict. */
export function verdicts(paper, csv) {
  const found = paper.claims.map(({ verdict }) => verdict(csv));
  return Object.fromEntries(
    VERDICTS.map((name) => [name, found.filter((own) => own === name).length]),
  );
}

/** `page` with its blocks filled. `blocks` gives the Markdown of each name. */
export function fill(page, blocks) {
  const used = new Set();
  const filled = page.replaceAll(
    /(<!-- results: (\S+) -->\n)[\s\S]*?(\n?<!-- end -->)/g,
    (_, open, name) => {
      if (!blocks[name]) throw new Error(`no results are called ${name}`);
      used.add(name);
      return `${open}\n${blocks[name]()}\n\n<!-- end -->`;
    },
  );
  const unused = Object.keys(blocks).filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`the page has no block for ${unused.join(', ')}`);
  return filled;
}

/** The blocks of a paper's page. */
export function blocksOf(paper, csv) {
  const tables = Object.entries(paper.tables).map(([name, make]) => [name, () => make(csv)]);
  return { claims: () => claims(paper, csv), ...Object.fromEntries(tables) };
}
