import type { OnRead } from '../data/files.js';
import { digestOfBytes, ChunkedDigest } from './fingerprints.js';
import { bytesOf } from './page.js';
import type { Peer } from '../threads/peer.js';
import type { JobPage, PostedSource } from './protocol.js';

/** The digest of the bytes of a source, computed while its rows are read. */
export class SourceDigest {
  /** Fraction of the bytes read, 0 to 1. */
  share = 1;
  #end: () => Promise<Uint8Array | null>;
  #chunks: ChunkedDigest | undefined;
  #isWanted = true;

  /** @param onMove called when `share` has changed */
  constructor(page: Pick<Peer<JobPage>, 'call'>, source: PostedSource, onMove: OnRead) {
    switch (source.kind) {
      case 'blob':
      case 'bytes': {
        const bytes = bytesOf(page, source);
        this.share = 0;
        const reading = digestOfBytes(bytes, async (read) => {
          this.share = read / bytes.size;
          await onMove(0, 0);
          return this.#isWanted;
        });
        // An error in the rows takes precedence; `end` reports this one.
        reading.catch(() => undefined);
        this.#end = () => reading;
        break;
      }
      case 'slices':
        // Only after the rows: otherwise the page would alternate between two parts of the file.
        this.#end = () => digestOfBytes(bytesOf(page, source));
        break;
      case 'stream': {
        const chunks = new ChunkedDigest();
        this.#chunks = chunks;
        this.#end = () => chunks.digest();
        break;
      }
      case 'values':
        this.#end = () => Promise.resolve(null);
    }
  }

  /** Adds the next bytes of a stream. */
  async push(piece: Uint8Array): Promise<void> {
    await this.#chunks?.push(piece);
  }

  /** Returns null if the data did not come as bytes. */
  end(): Promise<Uint8Array | null> {
    return this.#end();
  }

  stop(): void {
    this.#isWanted = false;
  }
}
