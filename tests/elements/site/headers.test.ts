import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { misplacedHeaders, withHeaders } from '../../../web/site/guide/headers.js';

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));
const texts = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(docs + name, 'utf8'));

test('every public header of the core is on exactly one page', () => {
  expect(misplacedHeaders(texts)).toEqual([]);
  expect(misplacedHeaders([...texts, '<!-- headers: result -->'])).toEqual(['result']);
  expect(misplacedHeaders([...texts, '<!-- headers: moments/quantiser -->'])).toEqual([
    'moments/quantiser',
  ]);
  expect(misplacedHeaders([])).toContain('moments/intake');
});

test('a header is shown as users include it, with its comments and without what is private', () => {
  const shown = withHeaders('Before.\n\n<!-- headers: moments/intake -->\n\nAfter.\n');
  expect(shown).toMatch(
    /^Before\.\n\n### `moments\/intake\.hpp`\n\n```cpp\n\/\/\/ What participants/,
  );
  expect(shown).toMatch(/\n\};\n```\n\nAfter\.\n$/);
  expect(shown).toContain('Result<std::vector<Int128>> take(Unit unit, int level = 0);');
  expect(shown).toContain('/// Errors: kInvalidBounds');
  expect(shown).not.toMatch(/private:|fingerprint_|#include|namespace/);
});
