// The generated blocks of docs/experiments/README.md: what each paper's claims came to, and the data.
import { SETS } from './data_sets.mjs';
import { table, verdicts } from './pages.mjs';

function papersTable(papers, csvOf) {
  const all = papers.map((paper) => ({ paper, found: verdicts(paper, csvOf(paper)) }));
  const cells = (own) => {
    const sum = (countOf) => own.reduce((total, each) => total + countOf(each), 0);
    const counts = Object.keys(all[0].found).map((verdict) => sum(({ found }) => found[verdict]));
    const figures = sum(({ paper }) => paper.figures.length);
    return [figures, ...counts, `${sum(({ paper }) => paper.minutes)} min`].map(String);
  };
  const rows = all.map((one) => {
    const { title, page, source } = one.paper;
    return [`[${title}](${page})`, source, ...cells([one])];
  });
  const head = ['page', 'paper', 'figures', 'agrees', 'in part', 'does not', 'not tested', 'takes'];
  return table(head, [...rows, ['together', '', ...cells(all)]], { left: 2 });
}

function dataTable() {
  const rows = Object.entries(SETS).map(([name, { what, source, shape }]) => [
    `\`${name}\``,
    what,
    source,
    shape.join(' × '),
  ]);
  return table(['set', 'what it is', 'source', 'rows × columns'], rows, { left: 4 });
}

function filesTable() {
  const files = Object.values(SETS).flatMap((set) => Object.entries(set.files));
  const rows = [...new Map(files)].map(([file, digest]) => [`\`${file}\``, `\`${digest}\``]);
  return table(['file', 'SHA-256'], rows, { left: 2 });
}

/** Blocks by name. `csvOf` gives the reader of a paper's results. */
export const overview = (papers, csvOf) => ({
  papers: () => papersTable(papers, csvOf),
  data: dataTable,
  files: filesTable,
});
