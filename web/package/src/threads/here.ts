/**
 * Work without workers, on the thread that asks for it. Messages go through a channel, as to a worker: values
 * are copied or moved, and every message is a task of its own.
 */
import { PrivateMomentsError } from '../base/errors.js';
import { periodicYield } from '../base/turns.js';
import type { Line, Message } from './peer.js';
import { offerTo, type Service } from './serve.js';
import type { Thread } from './thread.js';

let isHere = false;

/** Chooses where work is done from now on: on the calling thread, or in workers. */
export function workHere(here: boolean): void {
  isHere = here;
}

export function worksHere(): boolean {
  return isHere;
}

/** In Node, a port that listens keeps the process alive. */
type Keeping = MessagePort & { ref?: () => void; unref?: () => void };

/**
 * What a worker is elsewhere.
 * @param load loads what the worker's file does
 */
export function threadHere<Core, Page>(
  load: () => Promise<{ service: () => Service<Core, Page> }>,
): Thread<Message, Message> {
  const channel = new MessageChannel();
  const near: Keeping = channel.port1;
  const far: Keeping = channel.port2;
  let isEnded = false;
  const requireRunning = (): void => {
    if (isEnded) throw new PrivateMomentsError('cancelled', 'cancelled; nothing was released');
  };
  const breathe = periodicYield();
  const line: Line = {
    post: (message, transfer = []) => {
      // An answer that comes too late is dropped by the closed port.
      if ('call' in message) requireRunning();
      far.postMessage(message, transfer);
    },
    listen: (onMessage) => {
      far.onmessage = ({ data }: MessageEvent<Message>) => {
        onMessage(data);
      };
      far.unref?.();
    },
    pause: async () => {
      await breathe();
      requireRunning();
    },
  };
  return {
    post: (message, transfer = []) => {
      near.postMessage(message, transfer);
    },
    listen: (onMessage, onFailure) => {
      near.onmessage = ({ data }: MessageEvent<Message>) => {
        onMessage(data);
      };
      near.unref?.();
      load()
        .then(({ service }) => {
          offerTo(line, service());
        })
        .catch((cause: unknown) => {
          const message =
            'what a worker does could not be loaded; service workers load nothing on demand: bundle the ' +
            'package into one file for them';
          onFailure(new PrivateMomentsError('worker-failed', message, {}, cause));
        });
    },
    hold: () => {
      near.ref?.();
    },
    rest: () => {
      near.unref?.();
    },
    end: () => {
      isEnded = true;
      near.close();
    },
  };
}
