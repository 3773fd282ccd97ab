import { defineStudy } from 'private-moments';
import * as research from 'private-moments-research';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  answerWithName,
  of,
  refuseWhatIsWrong,
  type Call,
  type Misnamed,
} from '../package/refusals.js';
import { definition } from '../package/support.js';

const study = defineStudy(definition());
const CSV = 'age,sleep,work,mood\n34,7.5,day,2\n51,6,night,-1\n';

let calls: Record<string, Call> = {};

beforeAll(async () => {
  const cape = {
    sites: [{ rows: 5, mean: Float64Array.of(1) }],
    dimension: 1,
    epsilon: 1,
    delta: 0.1,
  };
  const scatter = { dimension: 2, values: Float64Array.of(3, 1, 1, 3) };
  const compared = {
    ...{ mean: { dimension: 2, values: Float64Array.of(0.5, 0, 0, 0.4) }, rows: 100, epsilon: 1 },
    mechanisms: ['laplace'],
  };
  const rows = { columns: 2, values: Float64Array.of(0.1, 0.2, 0.3, 0.1) };
  const consortium = {
    covariance: { dimension: 2, values: Float64Array.of(1, 0.5, 0.5, 1) },
    first: 1,
  };
  const audit = { mechanism: 'laplace', epsilon: 1, delta: 0 };
  const opened = await research.openAudit(audit);
  calls = {
    exactMoments: { call: research.exactMoments, args: [study, CSV, {}], options: 2 },
    repeatReleases: { call: research.repeatReleases, args: [study, CSV, 1] },
    reproduce: {
      call: research.reproduce,
      args: ['mod-sulq', { scatter, rows: 10, epsilon: 1 }],
      options: 1,
    },
    compareMechanisms: { call: research.compareMechanisms, args: [compared], options: 0 },
    simulateCape: { call: research.simulateCape, args: [cape], options: 0 },
    consortium: { call: research.consortium, args: [consortium], options: 0 },
    reproduceSynthesis: {
      call: research.reproduceSynthesis,
      args: ['pca-gauss', { rows, epsilon: 1 }],
      options: 1,
    },
    signalToSensitivity: { call: research.signalToSensitivity, args: [[2, 1], 1] },
    openAudit: { call: research.openAudit, args: [audit], options: 0 },
    audit: { call: research.audit, args: [{ ...audit, runs: 1 }], options: 0 },
    'audit.run': { call: of(opened, 'run'), args: [1, {}], options: 1 },
  };
});

describe('every function and method', () => {
  it('that takes arguments is in the list of this test', () => {
    const free = ['published', 'synthesizers', 'auditable'];
    const names = Object.keys(research).filter((name) => !free.includes(name));
    expect(names.filter((name) => calls[name] === undefined)).toEqual([]);
  });

  refuseWhatIsWrong(() => calls);
});

describe('an option with the name used elsewhere', () => {
  const BY: Misnamed[] = [
    ['reproduce', { lambda: 1 }, 'penalty'],
    ['reproduce', { neighbors: 'add-remove' }, 'neighbours'],
  ];
  answerWithName(() => calls, BY);
});
