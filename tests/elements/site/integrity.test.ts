import { expect, test } from 'vitest';
import { withIntegrity } from '../../../web/site/integrity.js';

const hashOf = (address: string): string | undefined =>
  address.startsWith('./assets/') ? 'sha384-x' : undefined;
const page = (html: string): string => withIntegrity(html, hashOf);

test('scripts, modules and styles of a page carry their hashes', () => {
  expect(page('<script type="module" crossorigin src="./assets/a-1.js"></script>')).toBe(
    '<script type="module" crossorigin src="./assets/a-1.js" integrity="sha384-x"></script>',
  );
  for (const rel of ['stylesheet', 'modulepreload']) {
    expect(page(`<link rel="${rel}" crossorigin href="./assets/a-1.css">`)).toBe(
      `<link rel="${rel}" crossorigin href="./assets/a-1.css" integrity="sha384-x">`,
    );
    expect(page(`<link rel="${rel}" href="./assets/a-1.css" />`)).toBe(
      `<link rel="${rel}" href="./assets/a-1.css" integrity="sha384-x">`,
    );
  }
});

test('all else stays as it is', () => {
  for (const html of [
    '<script src="./workers.js"></script>',
    '<link rel="icon" href="./assets/mark.svg" type="image/svg+xml" />',
    '<script>const page = "<a>";</script>',
    '<script src="./assets/a.js" integrity="sha384-y"></script>',
  ]) {
    expect(page(html)).toBe(html);
  }
});
