import { gzipSync } from 'node:zlib';
import { defineStudy, inspect, privatize } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { failure } from '../support.js';

const study = defineStudy({
  title: 'Two numbers',
  columns: [
    { name: 'a', type: 'number', min: 0, max: 1 },
    { name: 'b', type: 'number', min: 0, max: 1 },
  ],
  privacy: { epsilon: 1, delta: 1e-6 },
});
const ROWS = 20_000;
const TEXT = `a,b\n${Array.from({ length: ROWS }, (_, i) => `${((i * 7919) % 1000) / 1000},0.${i}\n`).join('')}`;
const WHOLE = gzipSync(TEXT);

const flipped = (at: number) => {
  const bytes = Uint8Array.from(WHOLE);
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  return bytes;
};
const after = (text: string) => Buffer.concat([WHOLE, Buffer.from(text)]);

describe('a gzip file', () => {
  const refusal = { code: 'read-failed', message: /gzip file.*damaged.*get it again/ };

  it.each([
    // Text that unpacks to other text, whose rows then look wrong.
    ['with a flipped bit near its start', () => flipped(3000)],
    ['with a flipped bit in its middle', () => flipped(WHOLE.length >> 1)],
    ['with a flipped bit in its checksum', () => flipped(WHOLE.length - 6)],
    ['that is cut off', () => WHOLE.subarray(0, 30_000)],
    ['without its last four bytes', () => WHOLE.subarray(0, -4)],
    ['of which only the header is left', () => WHOLE.subarray(0, 11)],
    ['with other bytes after its end', () => after('and so on')],
  ])('%s is called damaged, as a file and as a stream', async (_, bytes) => {
    const blob = new Blob([Uint8Array.from(bytes())]);
    await failure(() => privatize(study, blob), refusal);
    await failure(() => inspect(study, blob.stream()), refusal);
  });

  it('that is whole keeps the error of a row', async () => {
    const blob = new Blob([gzipSync(`${TEXT}1,2,3\n${TEXT.slice(4)}`)]);
    await failure(() => inspect(study, blob), { code: 'ragged-row', row: ROWS + 1 });
    await failure(() => inspect(study, blob.stream()), { code: 'ragged-row', row: ROWS + 1 });
  });

  it('whose stream breaks off tells of the stream, not of damage', async () => {
    let pulls = 0;
    const broken = new ReadableStream<Uint8Array>({
      pull(stream) {
        if (++pulls === 1) stream.enqueue(Uint8Array.from(WHOLE.subarray(0, 5000)));
        else stream.error(new TypeError('gone'));
      },
    });
    await failure(() => inspect(study, broken), { code: 'read-failed', message: /connection/ });
  });

  it('of several members is read to its end', async () => {
    const two = new Blob([WHOLE, gzipSync('0.5,0.5\n')]);
    expect((await inspect(study, two)).rows).toBe(ROWS + 1);
  });
});
