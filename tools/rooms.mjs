// The rooms of the house: what lives in each, and which others it may use. A room may always use
// itself. tools/check-house.mjs checks every include and import against these rules, and writes the
// table in docs/architecture.md from them.

/**
 * Rooms of which each may use those before it. Neighbouring rooms marked `beside` may not use each
 * other.
 */
function stacked(prefix, below, rooms) {
  const before = [...below];
  let level = [];
  return rooms.map(({ name, holds, beside = false }) => {
    if (!beside) {
      before.push(...level);
      level = [];
    }
    const room = name === '' ? prefix : `${prefix}/${name}`;
    level.push(room);
    return { room, holds, uses: [...before], stacked: true };
  });
}

/** From rows to releases. */
const SUMS = [
  'core',
  'core/matrix',
  'core/random',
  'core/privacy',
  'core/ingest',
  'core/moments',
  'core/directions',
  'core/mechanisms',
];
const ANALYSIS = ['core/analysis/noise', 'core/analysis/methods', 'core/analysis/uncertainty'];
const SYNTHESIS = ['core/synthesis/plan', 'core/synthesis/rows', 'core/synthesis/fit'];
const PRODUCT = [...SUMS, 'core/federation', ...ANALYSIS, 'core/study', ...SYNTHESIS];
const BEYOND_PUBLISHED = [...PRODUCT, 'core/research/idealized', 'core/research/published'];

const CORE = [
  {
    room: 'core',
    holds:
      'results and errors as values, 128-bit integers, overwriting memory, the search for a minimum',
    uses: [],
  },
  {
    room: 'core/matrix',
    holds: 'eigenvalues and products of plain matrices, compiled once',
    uses: ['core'],
  },
  {
    room: 'core/random',
    holds: 'entropy, the ChaCha20 generator, exact and continuous samplers, numbers with bounds',
    uses: ['core'],
  },
  {
    room: 'core/privacy',
    holds: 'guarantees, sensitivities, calibration, composition',
    uses: ['core'],
  },
  {
    room: 'core/ingest',
    holds: 'CSV files read as rows of numbers, in sections for several workers',
    uses: ['core'],
  },
  {
    room: 'core/moments',
    holds: 'row encoding, the integer grid, the exact Gram matrix, sums of releases',
    uses: ['core', 'core/privacy', 'core/ingest'],
  },
  {
    room: 'core/directions',
    holds: 'directions and subspaces drawn from an integer matrix and rounded exactly',
    uses: ['core', 'core/matrix', 'core/random', 'core/moments'],
  },
  {
    room: 'core/mechanisms',
    holds:
      'a pair of files for each mechanism, ending with its record; the registry of mechanisms; the one way to a release',
    uses: SUMS,
  },
  {
    room: 'core/federation',
    holds:
      'shared noise, masked and correlated releases, unmasked sums, what colluders see; a simulation of capeCCA',
    uses: ['core', 'core/random', 'core/privacy', 'core/moments', 'core/mechanisms'],
  },
  {
    room: 'core/analysis/noise',
    holds: 'released moments, the law of their noise, draws from it, denoising',
    uses: ['core', 'core/matrix', 'core/random'],
  },
  {
    room: 'core/analysis/methods',
    holds:
      'PCA, CCA, GCCA, regression, combined directions; each sees a matrix and the law of its noise',
    uses: ['core', 'core/matrix', 'core/analysis/noise'],
  },
  {
    room: 'core/analysis/uncertainty',
    holds: 'intervals by simulation, forecasts',
    uses: ['core', 'core/matrix', 'core/random', ...ANALYSIS],
  },
  {
    room: 'core/study',
    holds: 'a study from its terms to moments in three calls, for programs in C++',
    uses: [...SUMS, 'core/analysis/noise'],
  },
  {
    room: 'core/synthesis/plan',
    holds: 'the sums that a synthesis needs of the rows, its noise scales and guarantee',
    uses: SUMS,
  },
  {
    room: 'core/synthesis/rows',
    holds: 'synthetic rows drawn from a released model',
    uses: ['core', 'core/matrix', 'core/random', 'core/moments', ...ANALYSIS],
  },
  {
    room: 'core/synthesis/fit',
    holds: 'models fitted to noisy sums: projections, mixtures, spectra',
    uses: [...SUMS, 'core/analysis/noise', ...SYNTHESIS],
  },
  {
    room: 'core/research/idealized',
    holds:
      'directions and subspaces drawn in doubles, for published mechanisms and as a comparison',
    uses: SUMS,
  },
  {
    room: 'core/research/published',
    holds:
      'published mechanisms that are not private, not proved or only a baseline, in a registry of their own; the exact reference',
    uses: [...SUMS, 'core/research/idealized'],
  },
  {
    room: 'core/research/synthesizers',
    holds: 'published synthesizers, as in their papers',
    uses: BEYOND_PUBLISHED,
  },
  {
    room: 'core/research/audit',
    holds: 'audits of every registered mechanism; tails of laws',
    uses: BEYOND_PUBLISHED,
  },
  {
    room: 'core/research/comparison',
    holds: 'errors of mechanisms side by side; a simulated consortium',
    uses: BEYOND_PUBLISHED,
  },
];

const BINDINGS = [
  {
    room: 'bindings/fields',
    holds: 'the fields of every result, described once for JavaScript and TypeScript',
    uses: PRODUCT,
  },
  {
    room: 'bindings',
    holds: 'thin Embind bindings, which only convert values',
    uses: [...PRODUCT, 'bindings/fields'],
  },
  {
    room: 'bindings/research',
    holds: 'the same for `core/research`, in a module of its own',
    uses: [...CORE.map(({ room }) => room), 'bindings', 'bindings/fields'],
  },
];

const PACKAGE = stacked(
  'web/package/src',
  [],
  [
    {
      name: 'generated',
      holds: 'mechanism records and result types, generated from the core by `tools/generate.mjs`',
    },
    {
      name: 'base',
      holds: "errors, argument checks, canonical JSON, bytes, links, the host's own facilities",
    },
    {
      name: 'study',
      holds: 'studies, their columns and features, mechanisms, noise and guarantees as data',
    },
    { name: 'output', holds: 'results as JSON and CSV' },
    { name: 'core', holds: 'the WebAssembly modules: loading them, their raw types, calling them' },
    { name: 'accounting', holds: 'the guarantee of a study, and of several releases together' },
    { name: 'data', holds: 'file formats and tables, turned into rows of numbers' },
    { name: 'threads', holds: "workers in browsers and in Node, started under the page's policy" },
    {
      name: 'intake',
      holds: 'everything that touches rows: the worker that owns them, its readers, masking',
    },
    { name: 'ledger', holds: "the record of a data set's releases, and its budget" },
    { name: 'release', holds: 'making, checking, writing and reading releases and sums' },
    { name: 'synthesis', holds: 'synthetic rows, from data or from released moments' },
    {
      name: 'analysis',
      holds: 'assembly, a file for each analysis, intervals, scores of rows; their worker',
    },
    {
      name: 'federation',
      holds: 'sessions with masks: keys, messages, roles that are independent of the network',
    },
    { name: 'federation/transports', holds: 'transports for the messages of a session' },
    { name: 'forecast', holds: 'what a study will be able to show, and advice on its design' },
    { name: 'report', holds: 'reports, and the words and numbers that the elements share' },
    { name: '', holds: 'the public modules, one for each entry in package.json' },
  ],
);

const PACKAGE_ROOMS = PACKAGE.map(({ room }) => room);

const COMMAND = {
  room: 'web/command',
  holds: 'what command lines share: arguments, files in and out, tables, Ctrl-C',
  uses: PACKAGE_ROOMS,
};

const PROGRAMS = [
  COMMAND,
  {
    room: 'web/cli',
    holds:
      'the command line `private-moments`: a file for each command (`src/commands`), loaded when it is called, and what they share (`src/parts`); it also runs the commands of the two packages below',
    uses: [...PACKAGE_ROOMS, COMMAND.room],
  },
  {
    room: 'web/relay',
    holds: 'the package `private-moments-relay`: a mailbox for sealed messages',
    uses: PACKAGE_ROOMS,
  },
  {
    room: 'web/scale',
    holds:
      'the package `private-moments-scale`: releases as tables, and their sums by databases (`sql`)',
    uses: [...PACKAGE_ROOMS, COMMAND.room],
  },
];

const ELEMENTS = stacked('web/elements/src', PACKAGE_ROOMS, [
  { name: 'contract', holds: 'the types of elements and events; nothing at run time' },
  { name: 'base', holds: 'numbers and errors in words, calls of workers, storage' },
  { name: 'look', holds: 'design tokens, shared styles, icons' },
  { name: 'controls', holds: 'fields, sliders, the drop zone, disclosures, progress, notices' },
  { name: 'figures', holds: 'charts, and what they share: size, axes, labels, patterns' },
  { name: 'session', holds: 'views of studies, ledgers and sessions for several rooms' },
  { name: 'take-part', holds: "the participant's room" },
  { name: 'design', holds: 'the study designer', beside: true },
  { name: 'analyse', holds: "the analyst's room", beside: true },
  { name: 'help', holds: "the helper's room", beside: true },
  {
    name: '',
    holds:
      'the public module, which loads and registers every element, and one for each (`tags`); what other packages share',
  },
]);

/** A package of its own: the product is built and tested without it. */
const RESEARCH = stacked('web/research/src', PACKAGE_ROOMS, [
  { name: 'generated', holds: 'the types of results of `core/research`, written from the core' },
  { name: 'core', holds: 'what the research module takes' },
  { name: 'methods', holds: 'audits, comparisons, consortia and synthesizers, run in the module' },
  { name: '', holds: 'the public module of `private-moments-research`' },
]);

const EXPLORE = stacked(
  'web/research/elements',
  [...PACKAGE_ROOMS, 'web/elements/src', ...RESEARCH.map(({ room }) => room)],
  [
    { name: 'consortium', holds: 'a simulated consortium', beside: true },
    { name: 'comparison', holds: 'mechanisms side by side', beside: true },
    { name: 'audit', holds: 'attacks on the real code', beside: true },
    { name: '', holds: 'the page of the three sections, which loads and registers them' },
  ],
);

const SITE = {
  room: 'web/site',
  holds: 'the static pages',
  uses: [...PACKAGE_ROOMS, ...[...ELEMENTS, ...EXPLORE].map(({ room }) => room)],
};

export const ROOMS = [
  ...CORE,
  ...BINDINGS,
  ...PACKAGE,
  ...PROGRAMS,
  ...ELEMENTS,
  ...RESEARCH,
  ...EXPLORE,
  SITE,
];

/** Folders that are not rooms: they may use everything, and no room uses them. */
export const OUTSIDE = [
  {
    room: 'examples',
    holds: 'the package in bundlers, frameworks and runtimes, as users install it',
  },
  { room: 'samples', holds: 'sample data, the simulated cohort, `make demo`' },
  {
    room: 'tests, bench, experiments, tools',
    holds: 'tests, speed, errors on real data, set-up and checks',
  },
];

/** Maximum number of source files in a folder. */
export const MOST_FILES = 25;

/** The table of rooms for docs/architecture.md, in Markdown. */
export function roomTable() {
  const title = ({ room }) => (room === 'core' ? '`core/` (top)' : `\`${room}\``);
  const short = (room) => room.replace(/^core\//, '');
  const users = (entry) => {
    if (entry.uses.length === 0) return 'nothing';
    if (EXPLORE.includes(entry)) return 'above, package, web/elements/src, web/research/src';
    if (ELEMENTS.includes(entry) || RESEARCH.includes(entry)) return 'above, package';
    if (entry.stacked) return 'above';
    if (entry.room === 'bindings/fields') return 'core but research';
    if (entry.room === 'bindings') return 'core but research, bindings/fields';
    if (entry.room === 'bindings/research') return 'core, bindings, bindings/fields';
    if (entry.uses === BEYOND_PUBLISHED)
      return 'core but research, research/idealized and published';
    if (PROGRAMS.includes(entry)) {
      return entry.uses.includes(COMMAND.room) ? 'package, command' : 'package';
    }
    if (entry.room === 'web/site') return 'elements, package, web/research/elements';
    const others = entry.uses.filter((room) => room !== 'core').map(short);
    return others.length === 0 ? 'core/ (top)' : others.join(', ');
  };
  const lines = ROOMS.map((entry) => `| ${title(entry)} | ${entry.holds} | ${users(entry)} |`);
  const outside = OUTSIDE.map(({ room, holds }) => {
    const names = room.split(', ').map((name) => `\`${name}\``);
    return `| ${names.join(', ')} | ${holds} | everything |`;
  });
  return ['| room | what lives there | may use |', '|---|---|---|', ...lines, ...outside].join(
    '\n',
  );
}
