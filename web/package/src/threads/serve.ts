/** The worker's side of a pool. */
import { PrivateMomentsError } from '../base/errors.js';
import { closeNetwork } from './network.js';
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
  /** Loads what the functions load on demand, where that is impossible once the network functions are gone. */
  load?: () => Promise<unknown>;
  functions: Served<Core, Page>;
}

/**
 * Offers a service to the page that started this worker. Does nothing if its file was merely imported. Before the call
 * that brings the core is answered, nothing that sends is left in the worker; rows come after the answer.
 */
export function serve<Core, Page>(service: Service<Core, Page>): void {
  const port = openPort<Message, Message>();
  if (port !== undefined) offerTo(port, service, () => close(service));
}

/** `import()` needs none of the functions. Only classic scripts load their parts with one. */
async function close({ load }: Pick<Service<never, never>, 'load'>): Promise<void> {
  const { importScripts } = globalThis as { importScripts?: unknown };
  // Without the part, the file that needs it is the error.
  if (importScripts !== undefined) await load?.().catch(() => undefined);
  closeNetwork();
}

/**
 * Offers a service to the other end of a line.
 * @param ready what the answer to the call that brings the core waits for
 */
export function offerTo<Core, Page>(
  line: Line,
  { start, functions }: Service<Core, Page>,
  ready: () => Promise<void> = () => Promise.resolve(),
): void {
  const page = new Peer<Page>(line);
  let core: Promise<Core> | undefined;
  const offer: Offer = {
    core: (module: WebAssembly.Module) => {
      core = start(module);
      // The call that awaits the core reports the failure.
      core.catch(() => undefined);
      return ready();
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
