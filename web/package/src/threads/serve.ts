/** The worker's side of a pool. */
import { PrivateMomentsError } from '../base/errors.js';
import { Peer, type Line, type Message, type Offer } from './peer.js';
import { openPort } from './port.js';

/** Functions of a worker. The running core and the page come before their own arguments. */
export type Served<Core, Page> = Record<
  string,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the arguments differ from function to function
  (core: Core, page: Peer<Page>, ...args: any[]) => unknown
>;

/** What one worker does. */
export interface Service<Core, Page> {
  /** Instantiates the compiled core. */
  start: (module: WebAssembly.Module) => Promise<Core>;
  functions: Served<Core, Page>;
}

/** Offers a service to the page that started this worker. Does nothing if its file was merely imported. */
export function serve<Core, Page>(service: Service<Core, Page>): void {
  const port = openPort<Message, Message>();
  if (port !== undefined) offerTo(port, service);
}

/** Offers a service to the other end of a line. */
export function offerTo<Core, Page>(line: Line, { start, functions }: Service<Core, Page>): void {
  const page = new Peer<Page>(line);
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
