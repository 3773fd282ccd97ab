// Jobs that allocations.mjs refuses a block of memory. Each returns what was wrong afterwards, in words; nothing
// if all is as promised.
import { COLUMNS, csv, PRIVACY, releaseJob, rows } from './fault-jobs.mjs';
import { newSession, sessionMessages } from './session-messages.mjs';

const SITES = 3;

const FIXED = { clipping: 'fixed' };
const PURE = { epsilon: 1, delta: 0 };

/** What is released, and how: every mechanism that asks for memory in its own way. */
const releases = {
  'a fixed clip radius': { data: csv, study: FIXED },
  'an adaptive clip radius': { data: csv, study: { clipping: 'adaptive' } },
  'private centring': { data: csv },
  'private centring of rows in memory': { data: rows },
  'private centring of a stream': { data: () => csv().stream() },
  'marked gaps': { data: csv, study: { missing: 'pairwise' } },
  'two-sided Wishart noise': {
    data: csv,
    study: { ...FIXED, privacy: PURE, mechanism: 'two-sided-wishart' },
  },
  'a sampled subspace': { data: csv, study: { privacy: PURE, mechanism: 'eigenvector-sampling' } },
};

/** Analyses of moments on this thread, all with the same result each time. */
const analyses = {
  pca: (moments) => moments.pca(),
  'pca with intervals': (moments) => moments.pca({ level: 0.9, draws: 50, seed: 1 }),
  cca: (moments) => moments.cca({ x: ['a'], y: ['b', 'c'] }),
  denoising: (moments) => moments.denoise(),
};

function studyOf(main, terms = {}) {
  return main.defineStudy({ title: 'T', columns: COLUMNS, privacy: PRIVACY, ...terms });
}

/** The numbers of a result, to compare it. */
function textOf(result) {
  return JSON.stringify(result);
}

/** Makes something once, as it is the same for all runs of a job. */
function once(make) {
  let made;
  return (...args) => (made ??= make(...args));
}

/** Releases put together: the sum is the same, or there is none and it can be made again. */
function assemblyJob(name, terms) {
  const releasesOf = once((main, study) =>
    Promise.all([main.privatize(study, csv()), main.privatize(study, csv())]),
  );
  return {
    name,
    async run({ main, attempt, isCoded }) {
      const study = studyOf(main, terms);
      const made = await releasesOf(main, study);
      const expected = textOf(await main.assemble(study, made));
      const first = await attempt(() => main.assemble(study, made));
      return comparing(first, expected, isCoded, () => main.assemble(study, made));
    },
  };
}

/**
 * An analysis of moments that are there already, and then of the same releases again.
 * @param isElsewhere whether it has a core of its own, so that the moments can be used again
 */
function analysisJob(name, analysis, isElsewhere = false) {
  const releaseOf = once((main, study) => main.privatize(study, csv()));
  return {
    name,
    async run({ main, attempt, isCoded }) {
      const study = studyOf(main);
      const made = [await releaseOf(main, study)];
      const moments = await main.assemble(study, made);
      const expected = textOf(await analysis(moments));
      const first = await attempt(async () => analysis(moments));
      const problems = await comparing(first, expected, isCoded, async () =>
        analysis(await main.assemble(study, made)),
      );
      const same = await attempt(async () => analysis(moments), { without: true });
      if (first.error === undefined || isElsewhere) {
        if (same.error !== undefined) problems.push(`the same moments fail: ${same.error}`);
        else if (textOf(same.value) !== expected) problems.push('they have another result');
      } else if (same.error === undefined) {
        problems.push('the same moments go on in a core that has stopped');
      } else if (!isCoded(same.error)) {
        problems.push(`the same moments fail without a code: ${same.error}`);
      }
      return problems;
    },
  };
}

/** What is wrong with an outcome that must be this text or an error with a code, and with the same again. */
async function comparing(first, expected, isCoded, again) {
  if (first.isStuck) return ['it hangs'];
  const problems = [];
  if (first.error !== undefined && !isCoded(first.error)) {
    problems.push(`an error without a code: ${first.error}`);
  }
  if (first.error === undefined && textOf(first.value) !== expected) {
    problems.push('another result');
  }
  const second = await again().catch((error) => ({ error }));
  if (second.error instanceof Error) problems.push(`the next call fails: ${second.error}`);
  else if (textOf(second) !== expected) problems.push('the next call has another result');
  return problems;
}

/** A session of sites with rows of their own, to the moments of their sum. Whatever fails is asked again. */
function sessionJob(mode) {
  const terms = { federation: { mode, sites: SITES, honest: SITES }, ...FIXED };
  if (mode === 'ring') Object.assign(terms.federation, { threshold: SITES });
  return {
    name: `a session of mode ${mode}`,
    async run({ main, federation, attempt, isCoded }) {
      const study = studyOf(main, terms);
      const { session, own, helping } = await newSession(federation, study);
      const arithmetic = await federation.coreArithmetic();
      const collector = await federation.createCollector(session, own, { arithmetic });
      const helper =
        helping === null ? null : await federation.createHelper(session, helping, { arithmetic });
      const sites = Array.from({ length: SITES }, () => federation.maskData(study, csv()));
      const participants = await Promise.all(
        sites.map(({ mask }) => federation.createParticipant(session, { mask })),
      );
      const collecting = helper === null ? 'coordinator' : 'analyst';
      const roles = new Map([
        [collecting, collector],
        ...(helper === null ? [] : [['helper', helper]]),
        ...participants.map((role) => [role.pid, role]),
      ]);
      const problems = [];
      // Only one block is refused, so what is asked again succeeds.
      const twice = async (act) => {
        try {
          return await act();
        } catch (error) {
          if (!isCoded(error)) problems.push(`an error without a code: ${error}`);
          return act();
        }
      };
      const whole = async () => {
        const messages = sessionMessages(() => [...roles.keys()]);
        const deliver = () =>
          messages.deliver(async (name, message) => {
            const step = await twice(() => roles.get(name).receive(message));
            if (step.refused !== null) problems.push(`refused: ${step.refused.code}`);
            messages.send(name, step.send);
          });
        for (const role of participants) {
          messages.send(role.pid, (await twice(() => role.start())).send);
        }
        await deliver();
        for (let turn = 0; turn < 2 && collector.outcome === null; turn++) {
          messages.send(collecting, (await twice(() => collector.close())).send);
          await deliver();
        }
        const sum = await twice(() => federation.sumOf(study, collector));
        return twice(() => main.assemble(study, [sum]));
      };
      const { isStuck, error, value } = await attempt(whole, { repeats: true });
      if (isStuck) return ['it hangs'];
      if (error !== undefined) problems.push(`it fails: ${error.code ?? error.stack}`);
      else if (value.noise.releases !== SITES) problems.push('somebody is missing');
      return [...new Set(problems)];
    },
  };
}

/** Synthetic rows from data, with a ledger whose budget is enough for one. */
function synthesisJob() {
  return {
    name: 'synthetic rows',
    async run({ main, attempt, isCoded }) {
      const study = studyOf(main);
      const ledger = main.createLedger(main.memoryStorage());
      await ledger.budget(PRIVACY);
      const make = () => main.synthesize(study, csv(), { ledger, rows: 20 });
      const first = await attempt(make);
      if (first.isStuck) return ['it hangs'];
      const problems = [];
      if (first.error !== undefined && !isCoded(first.error)) {
        problems.push(`an error without a code: ${first.error}`);
      }
      const before = (await ledger.entries()).length;
      if (first.value !== undefined && before !== 1) problems.push('it is not in the ledger');
      const second = await attempt(make, { without: true });
      const isFree = before === 0;
      if (isFree !== (second.error === undefined)) {
        problems.push(`the next call ends as ${second.error?.code ?? second.error}`);
      }
      if ((await ledger.entries()).length !== 1) problems.push('two entries for one budget');
      return problems;
    },
  };
}

/** @returns all jobs */
export function refusedJobs(main) {
  const inMemory = () => ({ storage: main.memoryStorage(), leftovers: () => [] });
  return [
    ...Object.entries(releases).map(([name, one]) => releaseJob(name, one, inMemory)),
    synthesisJob(),
    assemblyJob('a sum with private centring', {}),
    assemblyJob('a sum with fixed clip radii', FIXED),
    ...Object.entries(analyses).map(([name, analysis]) => analysisJob(name, analysis)),
    analysisJob('pca in a worker', (moments) => moments.inWorker().pca(), true),
    ...['split', 'ring', 'correlated'].map(sessionJob),
  ];
}
