/** A worker's end of the conversation that engine.ts begins. */
import { PrivateMomentsError, toWire } from './errors.js';
import { Page } from './page.js';
import { openPort } from './port.js';
import type { FromWorker, PostedJob, ToCrew, ToWorker } from './protocol.js';

/**
 * Does jobs for whoever started this worker; nothing where its file was merely imported. Failures go
 * to the page, without words that are not ours.
 */
export function serve<Core, Order, Outcome>({
  start,
  run,
  read,
}: {
  start: (module: WebAssembly.Module) => Promise<Core>;
  run: (core: Core, page: Page<Outcome>, job: PostedJob<Order>) => Promise<void>;
  /** In workers that can be of a crew. */
  read?: (core: Core, page: Page<Outcome>, order: ToCrew) => void;
}): void {
  const port = openPort<FromWorker<Outcome>, ToWorker<Order>>();
  if (port === undefined) return;
  const page = new Page<Outcome>(port);
  let core: Promise<Core> | undefined;
  const withCore = (act: (running: Core) => Promise<void> | void): void => {
    const missing = new PrivateMomentsError('internal', 'the worker has no core');
    (core ?? Promise.reject(missing)).then(act).catch((error: unknown) => {
      page.post({ type: 'failed', error: toWire(error) });
    });
  };
  port.listen((message) => {
    switch (message.type) {
      case 'core':
        core = start(message.module);
        // The job that awaits the core reports the failure.
        core.catch(() => undefined);
        break;
      case 'start':
        withCore((running) => run(running, page, message));
        break;
      case 'read':
        withCore((running) => read?.(running, page, message));
        break;
      default:
        page.take(message);
    }
  });
}
