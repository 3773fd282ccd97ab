import { describe, expect, it } from 'vitest';
import { Forecaster } from '../../../web/elements/src/design/forecaster.js';
import { Host, withSilentWorkers } from '../silent-worker.js';

withSilentWorkers();

describe('the worker of an element', () => {
  it('answers pending proposals with an error when the element is moved', async () => {
    const host = new Host();
    const forecaster = new Forecaster(host);
    const proposed = forecaster.propose(new Blob(['a,b\n1,2\n']));
    host.move();
    expect(await proposed).toEqual({
      error: 'The page was closed before the file was read. Choose it again.',
    });
    expect(host.updates).toBe(1);
  });
});
