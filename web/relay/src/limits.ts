/** What a relay takes on at most. Every figure is a whole number of at least 1. */
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
  /** Days after its last new message until a session is deleted. */
  expiryDays: number;
  /** Requests a second of one address, ten times as many at once. */
  addressRequests: number;
  /** New sessions an hour of one address. */
  addressSessions: number;
  /** Messages a second into one session, ten times as many at once. */
  sessionAppends: number;
  /** Connections open at once. */
  connections: number;
  /** Connections of one address open at once; not told apart behind a proxy. */
  addressConnections: number;
  /** Bytes of messages in memory, half on the way in and half on the way out; at least 8 messages. */
  memoryBytes: number;
  /** Seconds a reader may wait for a message. */
  waitSeconds: number;
  /** Seconds to send a request, and to take an answer. */
  timeoutSeconds: number;
}

const MIB = 1 << 20;

export const defaultLimits: Readonly<RelayLimits> = {
  // 501 501 entries of 8 bytes, for 1000 features, are 4 MB.
  messageBytes: 8 * MIB,
  sessionMessages: 50_000,
  sessionBytes: 1024 * MIB,
  totalBytes: 10_240 * MIB,
  sessions: 1000,
  expiryDays: 30,
  addressRequests: 50,
  addressSessions: 60,
  sessionAppends: 200,
  connections: 2000,
  addressConnections: 500,
  memoryBytes: 128 * MIB,
  waitSeconds: 30,
  timeoutSeconds: 120,
};

/** Enough for a large study, few enough that an abuser with many addresses costs megabytes at most. */
const MOST_KEYS = 20_000;

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Token buckets, one a key: `burst` at once and `rate` a second in the long run. Of more keys than
 * it holds it forgets those unused for longest, who then start with a full bucket.
 */
export class Rates {
  readonly #rate: number;
  readonly #burst: number;
  readonly #now: () => number;
  readonly #mostKeys: number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param now milliseconds that never go back */
  constructor(rate: number, burst: number, now: () => number, mostKeys = MOST_KEYS) {
    this.#rate = rate;
    this.#burst = burst;
    this.#now = now;
    this.#mostKeys = mostKeys;
  }

  /** Takes a token. 0, or, where there is none, the seconds until there is one. */
  take(key: string): number {
    const bucket = this.#bucketOf(key);
    const seconds = this.#wait(bucket);
    if (seconds === 0) bucket.tokens -= 1;
    return seconds;
  }

  /** What `take` would give, without taking. */
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
    // A Map keeps the order of insertion: the first key is the one unused for longest.
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
 * A quantity shared by those who hold parts of it. One key never has more than a quarter, so that
 * whoever is slow to give back holds up only itself.
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
   * Resolves, when the amount (at most a quarter of all) is free, with the function that gives it
   * back. @throws the signal's reason
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

  /** In order of arrival, but past those whose key has its share. */
  #serve(): void {
    for (const claim of this.#queue) {
      const held = this.#held.get(claim.key) ?? 0;
      if (held + claim.amount > this.#share) continue;
      // The next in line waits for its turn rather than see smaller claims pass for ever.
      if (claim.amount > this.#free) return;
      this.#free -= claim.amount;
      this.#held.set(claim.key, held + claim.amount);
      this.#queue.delete(claim);
      claim.grant();
    }
  }
}
