import { closeNetwork } from 'private-moments/internal';

/**
 * For a worker: loads what it needs, once, and removes everything that sends.
 * @returns to be awaited before a question is answered; after a failure the next question tries again
 */
export function closedAfter(load: () => Promise<unknown>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= load().then(closeNetwork, (error: unknown) => {
      closed = undefined;
      throw error;
    });
    return closed;
  };
}
