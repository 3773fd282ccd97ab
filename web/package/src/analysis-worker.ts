/** A worker of analyses. It sees assembled moments, which are public, and never rows. */
import factory from 'private-moments-analysis-glue';
import type { FromAnalyst, ToAnalyst } from './analysis-protocol.js';
import type { Context } from './analysis/context.js';
import { methods, simulations } from './analysis/methods.js';
import { PrivateMomentsError, toWire } from './errors.js';
import { instantiate } from './loader.js';
import { openPort, type Port } from './port.js';
import type { AnalysisCore, Core } from './raw.js';

function serve(port: Port<FromAnalyst, ToAnalyst>): void {
  let core: Promise<AnalysisCore> | undefined;

  async function run(message: Exclude<ToAnalyst, { type: 'core' }>): Promise<object> {
    if (core === undefined) throw new PrivateMomentsError('internal', 'the worker has no core');
    // Analyses ask nothing of the core that makes releases.
    const context: Context = { ...message.question, core: (await core) as Core };
    if (message.type === 'draw') {
      return simulations[message.method](context, message.options, message.part);
    }
    if (message.parts !== undefined) context.parts = message.parts;
    const method = methods[message.method] as (given: Context, options: object) => object;
    return method(context, message.options);
  }

  port.listen((message) => {
    if (message.type === 'core') {
      core = instantiate<AnalysisCore>(message.module, factory);
      // The analysis that awaits the core reports the failure.
      core.catch(() => undefined);
      return;
    }
    run(message).then(
      (result) => {
        port.post({ type: 'done', result });
      },
      (error: unknown) => {
        port.post({ type: 'failed', error: toWire(error) });
      },
    );
  });
}

const port = openPort<FromAnalyst, ToAnalyst>();
if (port !== undefined) serve(port);
