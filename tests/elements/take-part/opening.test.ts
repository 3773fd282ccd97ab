import { defineStudy } from 'private-moments';
import { expect, it } from 'vitest';
import { opening } from '../../../web/elements/src/take-part/participant-study.js';
import { definition } from '../../package/support.js';
import { said } from '../said.js';

it('links the steps of taking part only where the guide is at hand', () => {
  const shown = (guide: string) =>
    said(
      opening({
        study: defineStudy(definition()),
        joinedSession: undefined,
        guarantee: undefined,
        mechanism: undefined,
        onePerson: undefined,
        isSent: false,
        guide,
      }),
    );
  expect(shown('./docs/')).toContain('href="./docs/how-to/take-part.html"');
  expect(shown('')).not.toContain('take-part.html');
});
