import type { Result } from '../output/results.js';
import { markup, type Markup } from './markup.js';

const NAMES: Record<string, string> = {
  cca: 'pairs',
  pca: 'spread',
  gcca: 'shared',
  factorAnalysis: 'factors',
  lda: 'discriminants',
  plsCorrelation: 'plsPairs',
  plsRegression: 'plsFit',
  ridge: 'fit',
  sparseCca: 'sparsePairs',
  sparsePca: 'sparse',
  uncertainty: 'bounds',
};

/** TypeScript that computes the results again from the study and the releases. */
export function codeOf(
  results: readonly Pick<Result, 'analysis' | 'options' | 'origin'>[],
): string {
  const [first] = results;
  if (first === undefined) return '';
  const isDirections = first.analysis === 'components';
  const assemble = isDirections ? 'assembleComponents' : 'assemble';
  const counts = new Map<string, number>();
  const calls = results.flatMap(({ analysis, options }) => {
    const name = NAMES[analysis];
    if (name === undefined) return [];
    const n = (counts.get(analysis) ?? 0) + 1;
    counts.set(analysis, n);
    return [`const ${name}${n === 1 ? '' : n} = moments.${analysis}(${literal(options)});`];
  });
  return [
    `import { parseStudy, parseRelease, ${assemble} } from 'private-moments';`,
    '',
    `const study = parseStudy(studyText); // ${first.origin.study.id.slice(0, 8)}…`,
    `const ${isDirections ? 'directions' : 'moments'} = await ${assemble}(study, releaseTexts.map(parseRelease)${first.origin.sites === undefined ? '' : `, ${literal({ sites: first.origin.sites })}`});`,
    ...calls,
  ].join('\n');
}

/** A value as a TypeScript literal. */
export function literal(value: unknown): string {
  if (typeof value === 'string') {
    const escaped = value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n');
    return `'${escaped}'`;
  }
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${property(key)}: ${literal(item)}`],
  );
  return entries.length === 0 ? '' : `{ ${entries.join(', ')} }`;
}

/** A property name as TypeScript, quoted if necessary. */
export function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** Splits code into keywords and comments (`quiet`), strings, and the rest. */
export function piecesOf(code: string): { text: string; kind: 'plain' | 'quiet' | 'string' }[] {
  const pieces = code.split(/('(?:[^'\\\n]|\\.)*'|\/\/.*$|\b(?:import|from|const|await)\b)/m);
  return pieces.map((text) => {
    if (text.startsWith("'")) return { text, kind: 'string' };
    const quiet = text.startsWith('//') || /^(?:import|from|const|await)$/.test(text);
    return { text, kind: quiet ? 'quiet' : 'plain' };
  });
}

/** The code as HTML, with keywords, comments and strings in shades of grey. */
export function highlighted(code: string): Markup {
  const pieces = piecesOf(code).map(({ text, kind }) =>
    kind === 'plain' ? text : kind === 'quiet' ? markup`<u>${text}</u>` : markup`<s>${text}</s>`,
  );
  return markup`<pre tabindex="0" role="region" aria-label="Code"><code>${pieces}</code></pre>`;
}
