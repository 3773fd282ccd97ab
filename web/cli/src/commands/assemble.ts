import type { Components, Moments } from 'private-moments';
import { at, type Command } from 'private-moments/internal';
import {
  namer,
  namerWithUnit,
  percent,
  plural,
  sharesMissing,
  significant,
} from 'private-moments/words';
import {
  ANALYSIS_HELP,
  originInWords,
  RELEASES_HELP,
  runAnalysis,
  type Assembled,
} from '../parts/analysis.js';
import { facts, paragraphs, table } from '../../../command/src/table.js';

const help = `private-moments assemble: sum releases of one study.

  private-moments assemble STUDY RELEASE...

${RELEASES_HELP}
Every release is checked: its digest, its study, that it is not a duplicate, and that its noise and its
guarantee are those that the study implies. If one fails, nothing is printed. The commands pca, cca,
ridge and synthesize take the same releases.

${ANALYSIS_HELP}

Example:
  private-moments assemble study.json site-01.release.json site-02.release.json`;

export const assembleCommand: Command = {
  help,
  run: (args) => runAnalysis(args, {}, (assembled) => Promise.resolve(resultOf(assembled))),
};

function resultOf({ moments, components }: Assembled) {
  if (components !== null) {
    return { result: components, text: () => componentsInWords(components) };
  }
  if (moments === null) throw new Error('nothing was assembled');
  return { result: moments, text: () => momentsInWords(moments) };
}

function momentsInWords(moments: Moments): string {
  const { columns, mean, covariance, noise, origin, sources } = moments;
  const missing = sharesMissing(moments);
  const written = namerWithUnit(origin);
  const rows = columns.map((name, i) => [
    written(name),
    significant(at(mean, 0, i), 3),
    significant(Math.sqrt(Math.max(0, at(covariance, i, i))), 3),
    ...(missing.size === 0 ? [] : [missing.get(sources[i] ?? '') ?? '']),
  ]);
  const heads = [
    'column',
    'mean',
    'standard deviation',
    ...(missing.size === 0 ? [] : ['missing']),
  ];
  return paragraphs(
    ...originInWords(moments),
    table(heads, rows),
    facts([
      ['noise', `${noise.distribution}, of ${plural(noise.releases, 'release')}`],
      ['study', origin.study.id],
    ]),
  );
}

/** Directions, where the study's mechanism releases these. */
export function componentsInWords(components: Components): string {
  const { columns, explained, loadings, origin } = components;
  const written = namer(origin);
  const names = loadings.columns;
  const rows = columns.map((name, i) => [
    written(name),
    ...names.map((_, k) => significant(at(loadings, i, k))),
  ]);
  const shares = explained.map(({ share }, k) => [
    names[k] ?? '',
    share === null ? 'not released' : percent(share),
  ]);
  return paragraphs(
    ...originInWords(components),
    table(['direction', 'share'], shares),
    table(['loading', ...names], rows),
  );
}
