/** The worker's side of a pool. */
import { PrivateMomentsError } from '../base/errors.js';
import { Peer, type Offer } from './peer.js';
import { openPort } from './port.js';
import type { Message } from './peer.js';

/** Functions of a worker. The running core and the page come before their own arguments. */
export type Served<Core, Page> = Record<
  string,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the arguments differ from function to function
  (core: Core, page: Peer<Page>, ...args: any[]) => unknown
>;

/**
 * Offers functions to the page that started this worker. Does nothing if its file was merely imported.
 * @param start instantiates the compiled core
 */
export function serve<Core, Page>(
  start: (module: WebAssembly.Module) => Promise<Core>,
  functions: Served<Core, Page>,
): void {
  const port = openPort<Message, Message>();
  if (port === undefined) return;
  const page = new Peer<Page>(port);
  let core: Promise<Core> | undefined;
  const offer: Offer = {
    core: (module: WebAssembly.Module) => {
      core = start(module);
      // The call that awaits the core reports the failure.
      core.catch(() => undefined);
    },
  };
  for (const [name, act] of Object.entries(functions)) {
    offer[name] = async (...args: unknown[]) => {
      if (core === undefined) throw new PrivateMomentsError('internal', 'the worker has no core');
      return act(await core, page, ...args);
    };
  }
  page.offer(offer);
}
