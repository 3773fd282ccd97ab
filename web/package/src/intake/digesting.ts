import { blobBytes } from '../base/bytes.js';
import type { OnRead } from '../data/files.js';
import { digestOfBytes, Fingerprint } from './marks.js';
import { bytesOf } from './page.js';
import type { Peer } from '../threads/peer.js';
import type { JobPage, PostedSource } from './protocol.js';

/** The digest of the bytes of a source, made while its rows are read. */
export class Digesting {
  /** How much of the bytes is in, 0 to 1. */
  share = 1;
  #end: () => Promise<Uint8Array | null>;
  #fingerprint: Fingerprint | undefined;
  #isWanted = true;

  /** @param onMove hears that `share` has moved */
  constructor(page: Pick<Peer<JobPage>, 'call'>, source: PostedSource, onMove: OnRead) {
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
        // Afterwards: the page would read two parts of the file in turn.
        this.#end = () => digestOfBytes(bytesOf(page, source));
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
