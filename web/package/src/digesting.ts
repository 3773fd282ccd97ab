import { blobBytes } from './bytes.js';
import type { OnRead } from './files.js';
import { digestOfBytes, Fingerprint } from './marks.js';
import type { Page } from './page.js';
import type { PostedSource } from './protocol.js';

/** The digest of the bytes of a source, made while its rows are read. */
export class Digesting {
  /** How much of the bytes is in, 0 to 1. */
  share = 1;
  #end: () => Promise<Uint8Array | null>;
  #fingerprint: Fingerprint | undefined;
  #isWanted = true;

  /** @param onMove hears that `share` has moved */
  constructor(page: Pick<Page<unknown>, 'bytesOf'>, source: PostedSource, onMove: OnRead) {
    switch (source.kind) {
      case 'blob': {
        const { size } = source.blob;
        this.share = 0;
        const reading = digestOfBytes(blobBytes(source.blob), (read) => {
          this.share = read / size;
          void onMove(0, 0);
          return this.#isWanted;
        });
        // What ends the reading of rows is reported first.
        reading.catch(() => undefined);
        this.#end = () => reading;
        break;
      }
      case 'slices':
        // Not at the same time: the page tells slices apart by where they start.
        this.#end = () => digestOfBytes(page.bytesOf(source));
        break;
      case 'stream': {
        const fingerprint = new Fingerprint();
        this.#fingerprint = fingerprint;
        this.#end = () => fingerprint.digest();
        break;
      }
      case 'values':
        this.#end = () => Promise.resolve(null);
    }
  }

  /** The next bytes of a stream. */
  async push(piece: Uint8Array): Promise<void> {
    await this.#fingerprint?.push(piece);
  }

  /** Null where the data did not come as bytes. */
  end(): Promise<Uint8Array | null> {
    return this.#end();
  }

  stop(): void {
    this.#isWanted = false;
  }
}
