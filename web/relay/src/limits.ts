/** Upper limits of a relay, each a whole number of at least 1. */
export interface RelayLimits {
  /** Bytes of one message. */
  messageBytes: number;
  /** Messages of one session. */
  sessionMessages: number;
  /** Bytes of all messages of one session. */
  sessionBytes: number;
  /** Bytes of all messages in the store. */
  totalBytes: number;
  /** Sessions in the store. */
  sessions: number;
  /** Days from a session's last new message to its deletion. */
  expiryDays: number;
  /** Requests per second from one address; bursts may be ten times as large. */
  addressRequests: number;
  /** New sessions per hour from one address. */
  addressSessions: number;
  /** Sessions in the store that one address has opened since the relay started. */
  addressOpenSessions: number;
  /** Messages per second to one session; bursts may be ten times as large. */
  sessionAppends: number;
  /** Open connections. */
  connections: number;
  /** Open connections from one address; not enforced behind a proxy, which opens all of them. */
  addressConnections: number;
  /** Bytes of messages in memory, half incoming and half outgoing; at least 8 times `messageBytes`. */
  memoryBytes: number;
  /** Seconds a reader may wait for a message. */
  waitSeconds: number;
  /** Seconds to send a request, and again to receive the answer. */
  timeoutSeconds: number;
}

const MIB = 1 << 20;

export const defaultLimits: Readonly<RelayLimits> = {
  // 1000 features make 501 501 entries of 8 bytes, 4 MB.
  messageBytes: 8 * MIB,
  sessionMessages: 50_000,
  sessionBytes: 1024 * MIB,
  totalBytes: 10_240 * MIB,
  sessions: 1000,
  expiryDays: 30,
  addressRequests: 50,
  addressSessions: 60,
  addressOpenSessions: 50,
  sessionAppends: 200,
  connections: 2000,
  addressConnections: 500,
  memoryBytes: 128 * MIB,
  waitSeconds: 30,
  timeoutSeconds: 120,
};

/** Enough for a large study, but an abuser with many addresses costs megabytes at most. */
const MOST_KEYS = 20_000;

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Token buckets, one per key: `burst` tokens at once and `rate` per second in the long run. Beyond
 * `mostKeys` keys, the least recently used are forgotten and start again with a full bucket.
 */
export class Rates {
  readonly #rate: number;
  readonly #burst: number;
  readonly #now: () => number;
  readonly #mostKeys: number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param now a monotonic clock in milliseconds */
  constructor(rate: number, burst: number, now: () => number, mostKeys = MOST_KEYS) {
    this.#rate = rate;
    this.#burst = burst;
    this.#now = now;
    this.#mostKeys = mostKeys;
  }

  /** Takes a token and returns 0, or returns the seconds until there is one. */
  take(key: string): number {
    const bucket = this.#bucketOf(key);
    const seconds = this.#wait(bucket);
    if (seconds === 0) bucket.tokens -= 1;
    return seconds;
  }

  /** What `take` would return, without taking a token. */
  wait(key: string): number {
    return this.#wait(this.#bucketOf(key));
  }

  #wait({ tokens }: Bucket): number {
    return tokens < 1 ? (1 - tokens) / this.#rate : 0;
  }

  #bucketOf(key: string): Bucket {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#rate);
    bucket.at = now;
    // A Map keeps insertion order, so the first key is the least recently used.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= this.#mostKeys) break;
      this.#buckets.delete(oldest);
    }
    return bucket;
  }
}

interface Claim {
  key: string;
  amount: number;
  grant: () => void;
}

/**
 * A quantity shared by several keys. No key holds more than a quarter, so a client that is slow to
 * give back its part holds up only itself.
 */
export class Budget {
  readonly #share: number;
  #free: number;
  readonly #held = new Map<string, number>();
  readonly #queue = new Set<Claim>();

  constructor(limit: number) {
    this.#free = limit;
    this.#share = limit / 4;
  }

  /**
   * Waits until the amount (at most a quarter of the whole) is free.
   * @returns the function that gives it back
   * @throws the signal's reason
   */
  async take(key: string, amount: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const cancel = (): void => {
        this.#queue.delete(claim);
        reject(signal.reason as Error);
      };
      const claim: Claim = {
        key,
        amount,
        grant: () => {
          signal.removeEventListener('abort', cancel);
          resolve();
        },
      };
      signal.addEventListener('abort', cancel, { once: true });
      this.#queue.add(claim);
      this.#serve();
    });
    return () => {
      this.#free += amount;
      const rest = (this.#held.get(key) ?? 0) - amount;
      if (rest > 0) this.#held.set(key, rest);
      else this.#held.delete(key);
      this.#serve();
    };
  }

  /** Grants claims in order of arrival, but skips keys that have their share. */
  #serve(): void {
    for (const claim of this.#queue) {
      const held = this.#held.get(claim.key) ?? 0;
      if (held + claim.amount > this.#share) continue;
      // If smaller claims could pass this one, it might wait for ever.
      if (claim.amount > this.#free) return;
      this.#free -= claim.amount;
      this.#held.set(claim.key, held + claim.amount);
      this.#queue.delete(claim);
      claim.grant();
    }
  }
}
