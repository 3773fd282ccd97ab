// The generated blocks of docs/experiments/README.md: what each paper's claims came to, and the data.
import { SETS } from './data_sets.mjs';
import { table, verdicts } from './pages.mjs';

function papersTable(papers, csvOf) {
  const rows = papers.map((paper) => {
    const found = verdicts(paper, csvOf(paper));
    return [
      `[${paper.title}](${paper.page})`,
      paper.source,
      String(paper.figures.length),
      ...Object.values(found).map(String),
      `${paper.minutes} min`,
    ];
  });
  const head = ['page', 'paper', 'figures', 'agrees', 'in part', 'does not', 'not tested', 'takes'];
  return table(head, rows, { left: 2 });
}

function dataTable() {
  const rows = Object.entries(SETS).map(([name, { what, source, shape, files }]) => [
    `\`${name}\``,
    what,
    source,
    shape.join(' × '),
    Object.entries(files)
      .map(([file, digest]) => `\`${file}\`<br>\`${digest}\``)
      .join('<br>'),
  ]);
  return table(['set', 'what it is', 'source', 'rows × columns', 'files and SHA-256'], rows, {
    left: 5,
  });
}

/** Blocks by name. `csvOf` gives the reader of a paper's results. */
export const overview = (papers, csvOf) => ({
  papers: () => papersTable(papers, csvOf),
  data: dataTable,
});
