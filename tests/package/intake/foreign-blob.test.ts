import { defineStudy, privatize } from 'private-moments';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { definition } from '../support.js';

const study = defineStudy(definition());
const CSV = 'age,sleep,work,mood\n34,7.5,day,2\n51,6,night,-1\n40,8,none,0\n';
const NodeBlob = Blob;

/** A blob as simulated documents have it: not Node's own, so that a worker gets an empty object for it. */
class DocumentBlob {
  readonly content: Blob;

  constructor(parts: (string | Blob)[]) {
    this.content = new NodeBlob(parts);
  }

  get size(): number {
    return this.content.size;
  }

  slice(start: number, end: number): DocumentBlob {
    return new (this.constructor as typeof DocumentBlob)([this.content.slice(start, end)]);
  }
}

/** As happy-dom has it. */
class ReadableBlob extends DocumentBlob {
  arrayBuffer(): Promise<ArrayBuffer> {
    return this.content.arrayBuffer();
  }
}

/** As jsdom has it, whose blobs are read by nothing else. */
class DocumentFileReader {
  result: ArrayBuffer | null = null;
  onload: () => void = () => undefined;

  readAsArrayBuffer(blob: DocumentBlob): void {
    void blob.content.arrayBuffer().then((bytes) => {
      this.result = bytes;
      this.onload();
    });
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a file of a document that Node simulates', () => {
  it.each([
    ['as in happy-dom', ReadableBlob],
    ['as in jsdom, which has a FileReader alone', DocumentBlob],
  ])('can be released, %s', async (_, Kind) => {
    vi.stubGlobal('Blob', Kind);
    vi.stubGlobal('FileReader', DocumentFileReader);
    const release = await privatize(study, new Kind([CSV]) as unknown as Blob);
    expect(release.rows).toBe(3);
    expect(release.local).toMatchObject({ rows: 3, used: 3 });
  });
});
