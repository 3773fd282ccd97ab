import { defineStudy } from 'private-moments';
import type { Study, StudyDefinition } from 'private-moments';
import { literal, property } from 'private-moments/internal';

const WIDEST = 88;

/** TypeScript that defines this study, without defaults, and uses it. */
export function codeForStudy(study: Study): string {
  const alone = study.federation.mode === 'independent';
  return [
    `import { defineStudy${alone ? ', privatize' : ''} } from 'private-moments';`,
    ...(alone ? [] : ["import { maskData } from 'private-moments/federation';"]),
    '',
    `const study = defineStudy(${written(withoutDefaults(study), '')});`,
    `// study.id: ${study.id.slice(0, 16)}…`,
    '',
    ...(alone
      ? [
          '// At each site: the file stays on this computer; only the release leaves it.',
          'const release = await privatize(study, file);',
        ]
      : [
          '// At each site: the file stays on this computer; a participant of the session masks and sends it.',
          'const { mask } = maskData(study, file);',
        ]),
  ].join('\n');
}

/** The shortest definition of the same study. */
export function withoutDefaults(study: Study): StudyDefinition {
  let least: StudyDefinition = study.toJSON();
  for (const key of Object.keys(least)) {
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

/** An object or list as code, on one line if it fits, else with one entry per line. */
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
