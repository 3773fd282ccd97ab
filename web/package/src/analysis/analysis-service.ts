/** What a worker of analyses does. It sees assembled moments, which are public, and never rows. */
import factory from 'private-moments-analysis-glue';
import { instantiate } from '../core/loader.js';
import type { AnalysisCore, Core, Part } from '../core/raw.js';
import type { Service } from '../threads/serve.js';
import type { Analysis, Draw } from './analysis-protocol.js';
import type { Context, Question } from './context.js';
import { methods, simulations } from './methods.js';

export function service(): Service<AnalysisCore, object> {
  return {
    start: (module) => instantiate<AnalysisCore>(module, factory),
    functions: {
      analyse: (core, _, { method, question, options, parts }: Analysis) => {
        const context = contextOf(core, question);
        if (parts !== undefined) context.parts = parts;
        const run = methods[method] as (context: Context, options: object) => object;
        return run(context, options);
      },
      draw: (core, _, { method, question, options, part }: Draw) => {
        const draw = simulations[method] as (
          context: Context,
          options: object,
          part: Part,
        ) => Float64Array;
        return draw(contextOf(core, question), options, part);
      },
    },
  };
}

/** Analyses ask nothing of the core that makes releases. */
function contextOf(core: AnalysisCore, question: Question): Context {
  return { ...question, core: core as Core };
}
