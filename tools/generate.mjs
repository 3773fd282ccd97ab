#!/usr/bin/env node
// Writes the generated TypeScript of the package from the output of the programs in tools/records: the
// records of the mechanisms, printed as JSON, and the types of results. With `--check` it writes nothing
// and fails if a file is out of date. The other argument is the folder of the built programs.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const WIDTH = 100;

const text = (value) => JSON.stringify(value);
const union = (values) => [...new Set(values)].map(text).join(' | ') || 'never';
const doc = (words) => `/** ${words} */\n`;

/** The type of an option's values. */
const typeOf = (option) => option.type ?? 'number';

function defaultOf({ choices, fallback }) {
  return choices === undefined ? String(fallback) : `\`${choices[0]}\``;
}

function optionLine({ name }, option) {
  const range = option.choices === undefined ? ` From ${option.least} to ${option.most}.` : '';
  return `${doc(`\`${name}\` only: ${lowered(option.summary)}${range} Default ${defaultOf(option)}.`)}${option.name}?: ${typeOf(option)};`;
}

function lowered(sentence) {
  return sentence[0].toLowerCase() + sentence.slice(1);
}

/** The type of this mechanism in a study, with all its defaults. */
function mechanismType({ name, options, directions }) {
  const fields = [
    `name: ${text(name)}`,
    ...options.map((option) => `${option.name}: ${typeOf(option)}`),
    directions === null ? 'components?: number' : 'components: number',
  ];
  return `| { ${fields.join('; ')} }`;
}

/** The TypeScript of the registry's records. */
export function mechanismSource(records) {
  const named = (list) => union(list.map(({ name }) => name));
  const of = (content) => records.filter((record) => record.content === content);
  const options = records.flatMap((record) => record.options.map((option) => [record, option]));
  const entries = (pick) =>
    records.map((record) => `${text(record.name)}: ${JSON.stringify(pick(record))},`).join('\n');
  const choices = options.filter(([, { choices: all }]) => all !== undefined);
  const all = (key) => union(records.flatMap((record) => record[key]));
  return `// Made by tools/generate.mjs from the registry in core/mechanisms. Do not edit.

${doc('Mechanisms that release noisy second moments, which `assemble` combines.')}export type MomentsMechanismName = ${named(of('moments'))};

${doc('Mechanisms that release directions, which `assembleComponents` combines.')}export type ComponentsMechanismName = ${named(of('components'))};

export type MechanismName = MomentsMechanismName | ComponentsMechanismName;

${choices.map(([{ name }, option]) => `${doc(`\`${name}\`: ${lowered(option.summary)}`)}export type ${option.type} = ${union(option.choices)};`).join('\n\n')}

/**
 * A mechanism with every default filled in. For mechanisms that release moments, \`components\` is the
 * default number of components in \`pca\` and \`cca\`; for the others it is the number of released
 * directions.
 */
export type Mechanism =
${records.map(mechanismType).join('\n')};

/** Options that a study may set besides the name of its mechanism. */
export interface MechanismOptions {
  ${doc(`1 to the number of features. Required: ${records.flatMap(({ name, directions }) => (directions?.needsCount ? [`\`${name}\``] : [])).join(', ')}.`)}components?: number;
  ${options.map(([record, option]) => optionLine(record, option)).join('\n')}
}

/** One of a few choices, the default first, or a whole number. */
export type MechanismOption =
  | { name: string; choices: readonly string[] }
  | { name: string; least: number; most: number; fallback: number };

/** The properties of a mechanism on which studies, releases and analyses depend. */
export interface MechanismFacts {
  content: 'moments' | 'components';
  /** Delta is 0, whatever is requested; otherwise it must be above 0. */
  pure: boolean;
  numerics: ${all('numerics')};
  /** Releases of several participants sum to a release of their sum. */
  additive: boolean;
  /** Releases are positive semidefinite. */
  psd: boolean;
  neighbours: readonly (${all('neighbours')})[];
  units: readonly (${all('units')})[];
  /** The law of the noise in second moments, and the bound on its tail; null for directions. */
  noise: { distribution: string; tail: ${union(records.flatMap(({ noise }) => noise?.tail ?? []))} } | null;
  /** Null for second moments. */
  directions: {
    /** A study must state their number; otherwise the default is the number of features. */
    needsCount: boolean;
    /** Their number must be below the number of features. */
    fewerThanFeatures: boolean;
    /** Each comes with a value. */
    withValues: boolean;
    /** Largest first; otherwise a basis of their span in no order. */
    ordered: boolean;
  } | null;
  options: readonly MechanismOption[];
  /** Modes in which sites can share the noise. */
  federations: readonly (${all('federations')})[];
  /** Supports adaptive clipping, for unit \`row\`. */
  adaptiveClipping: boolean;
  /** Supports private centring, for unit \`row\`. */
  centring: boolean;
}

/** In the order in which they are listed; the first is the default for delta above 0. */
export const MECHANISM_FACTS: Readonly<Record<MechanismName, MechanismFacts>> = {
${entries(
  ({
    content,
    pure,
    numerics,
    additive,
    psd,
    neighbours,
    units,
    noise,
    directions,
    options: all,
    federations,
    adaptiveClipping,
    centring,
  }) => ({
    content,
    pure,
    numerics,
    additive,
    psd,
    neighbours,
    units,
    noise,
    directions,
    options: all.map(({ name, choices, least, most, fallback }) => ({
      name,
      choices,
      least,
      most,
      fallback,
    })),
    federations,
    adaptiveClipping,
    centring,
  }),
)}
};

/** Texts for lists and tables. Formulas are spelled out. */
export interface MechanismWords {
  title: string;
  summary: string;
  /**
   * Growth of the error. Moments: of the whole matrix, in Frobenius norm. Components: of the sine of
   * the angle to the true direction, where \`gap\` is the excess of its sum of squares over that of
   * the next direction.
   */
  errorOrder: string;
  /** The publication, by authors and year. */
  source: string;
}

export const MECHANISM_WORDS: Readonly<Record<MechanismName, MechanismWords>> = {
${entries(({ title, summary, errorOrder, source }) => ({ title, summary, errorOrder, source }))}
};

/** Where the randomness enters, in one sentence. */
export const MECHANISM_LAWS: Readonly<Record<MechanismName, string>> = {
${entries(({ law }) => law)}
};
`;
}

/** The output of a program. */
function outputOf(folder, program) {
  const file = path.join(folder, program);
  if (!existsSync(file)) throw new Error(`${file} is missing: build the target ${program} first`);
  return execFileSync(file, { encoding: 'utf8' });
}

/** The source with comments that are too long for a line wrapped. */
export function wrapped(source) {
  return source.replace(/^( *)\/\*\* (.*) \*\/$/gm, (line, indent, words) => {
    if (line.length + 2 <= WIDTH) return line;
    const lines = [''];
    for (const word of words.split(' ')) {
      if (`${lines.at(-1)} ${word}`.length > WIDTH - 8) lines.push('');
      lines.push(`${lines.pop()} ${word}`);
    }
    return [`${indent}/**`, ...lines.map((text) => `${indent} *${text}`), `${indent} */`].join(
      '\n',
    );
  });
}

async function main(folder, check) {
  const sources = {
    'web/package/src/generated/mechanisms.ts': mechanismSource(
      JSON.parse(outputOf(folder, 'mechanism_records')),
    ),
    'web/package/src/generated/raw.ts':
      '// Made by tools/generate.mjs from bindings/fields/*.hpp. Do not edit.\n\n' +
      outputOf(folder, 'raw_types'),
    'web/research/src/generated/raw.ts':
      '// Made by tools/generate.mjs from bindings/research/fields.hpp. Do not edit.\n\n' +
      outputOf(folder, 'research_types'),
  };
  let upToDate = true;
  for (const [name, source] of Object.entries(sources)) {
    const file = path.join(ROOT, name);
    const options = { ...(await resolveConfig(file)), filepath: file };
    const formatted = await format(wrapped(source), options);
    if (existsSync(file) && readFileSync(file, 'utf8') === formatted) continue;
    upToDate = false;
    if (check) console.error(`${name} is out of date: run node tools/generate.mjs`);
    else writeFileSync(file, formatted);
  }
  return upToDate || !check;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = path.join(ROOT, 'build/native/tools')] = process.argv
    .slice(2)
    .filter((argument) => argument !== '--check');
  try {
    process.exitCode = (await main(folder, process.argv.includes('--check'))) ? 0 : 1;
  } catch (error) {
    console.error(`generate: ${error.message}`);
    process.exitCode = 1;
  }
}
