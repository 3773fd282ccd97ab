import { defineStudy } from 'private-moments';
import type { Study, StudyDefinition } from 'private-moments';
import { literal, property } from '../../package/src/report/code.js';

const WIDEST = 88;

/** TypeScript that defines this very study, defaults left out, and what to do with it. */
export function codeForStudy(study: Study): string {
  return [
    "import { defineStudy, privatize } from 'private-moments';",
    '',
    `const study = defineStudy(${written(withoutDefaults(study), '')});`,
    `// study.id: ${study.id.slice(0, 16)}…`,
    '',
    '// At each site: the file stays here, the release is what leaves.',
    'const release = await privatize(study, file);',
  ].join('\n');
}

/** What `defineStudy` needs to be told, and no more. */
export function withoutDefaults(study: Study): StudyDefinition {
  const optional = [
    'format',
    'unit',
    'neighbours',
    'missing',
    'rowNorm',
    'clipping',
    'mechanism',
    'federation',
  ];
  let least: StudyDefinition = study.toJSON();
  for (const key of optional) {
    const fewer = Object.fromEntries(
      Object.entries(least).filter(([name]) => name !== key),
    ) as unknown as StudyDefinition;
    if (idOf(fewer) === study.id) least = fewer;
  }
  return least;
}

function idOf(definition: StudyDefinition): string | undefined {
  try {
    return defineStudy(definition).id;
  } catch {
    return undefined;
  }
}

/** An object or list on one line where it fits, else one entry a line. */
function written(value: unknown, indent: string): string {
  const line = literal(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length < WIDEST - 20) {
    return line;
  }
  const deeper = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((item) => `${deeper}${written(item, deeper)},`)
    : Object.entries(value).map(
        ([key, item]) => `${deeper}${property(key)}: ${written(item, deeper)},`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return [open, ...entries, `${indent}${close}`].join('\n');
}
