import { expect, test } from '@jest/globals';
import { countRows } from './program.js';

test('a release keeps the number of rows', async () => {
  expect(await countRows()).toBe('rows 5');
});
