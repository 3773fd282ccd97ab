import * as main from 'private-moments';
import * as federation from 'private-moments/federation';
import * as node from 'private-moments/node';
import * as report from 'private-moments/report';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerWithName, of, refuseWhatIsWrong, type Call, type Misnamed } from './refusals.js';
import { definition, failure, people } from './support.js';

const study = main.defineStudy(definition());
const shared = main.defineStudy({
  ...definition(),
  federation: { mode: 'ring', sites: 4, honest: 4, threshold: 4 },
});
const CSV = 'age,sleep,work,mood\n34,7.5,day,2\n51,6,night,-1\n';

let calls: Record<string, Call> = {};

/** Like a loop over the releases. */
async function checkAll(...values: Parameters<typeof main.checkReleases>): Promise<void> {
  for await (const { id } of main.checkReleases(...values)) expect(id).toHaveLength(64);
}

beforeAll(async () => {
  const release = await main.privatize(study, people(300, 1, 1));
  const moments = await main.assemble(study, [release]);
  const inWorker = moments.inWorker();
  const intervals = moments.uncertainty();
  const later = await inWorker.uncertainty();
  const pca = moments.pca();
  const ridge = moments.ridge({ target: 'mood' });
  const ledger = main.createLedger(main.memoryStorage());
  const synthetic = moments.synthesize({ rows: 5, seed: 1 });
  const suite = await federation.bestSuite();
  const keys = await federation.newRoleKeys(suite);
  const session = federation.createSession(shared, { collector: keys });
  const { mask } = federation.maskData(shared, CSV);
  const transport = { session: session.id, mailboxes: ['all'] };
  const file = federation.fileTransport({ ...transport, save: () => Promise.resolve() });
  const collector = await federation.createCollector(session, keys);
  const participant = await federation.createParticipant(session, { mask });
  calls = {
    advise: { call: main.advise, args: [study, { rows: 100 }], options: 1 },
    assemble: { call: main.assemble, args: [study, [release], {}], options: 2 },
    assembleComponents: { call: main.assembleComponents, args: [study, [release]] },
    checkReleases: { call: checkAll, args: [study, [release]] },
    collusionTerms: { call: federation.collusionTerms, args: [shared.federation] },
    compose: { call: main.compose, args: [[release.guarantee], { delta: 1e-6 }], options: 1 },
    createLedger: { call: main.createLedger, args: [main.memoryStorage()], isFree: true },
    createSummands: { call: main.createSummands, args: [study] },
    createSum: { call: main.createSum, args: [study, { members: [], groups: [] }], options: 1 },
    defineStudy: { call: main.defineStudy, args: [definition()] },
    forecast: { call: main.forecast, args: [study, { rows: 100 }], options: 1 },
    inspect: { call: main.inspect, args: [study, CSV, {}], options: 2 },
    load: { call: main.load, args: [{}], options: 0, isFree: true },
    parseRelease: { call: main.parseRelease, args: [release.toJSON()] },
    parseStudy: { call: main.parseStudy, args: ['{}'] },
    parseSum: { call: main.parseSum, args: ['{}'] },
    predict: { call: main.predict, args: [study, CSV, ridge, {}], options: 3 },
    privatize: { call: main.privatize, args: [study, CSV, {}], options: 2 },
    project: { call: main.project, args: [study, CSV, pca, {}], options: 3 },
    guaranteeOf: { call: main.guaranteeOf, args: [study] },
    studyPreset: { call: main.studyPreset, args: ['cape-pca', { sites: 3 }], options: 1 },
    weightedColumns: { call: main.weightedColumns, args: [definition().columns, {}] },
    studyFromLink: { call: main.studyFromLink, args: [study.toLink('https://example.org/')] },
    synthesize: { call: main.synthesize, args: [study, CSV, {}], options: 2 },
    'study.toLink': { call: of(study, 'toLink'), args: ['https://example.org/'] },
    'ledger.budget': { call: of(ledger, 'budget'), args: [null], isFree: true },
    'ledger.standing': { call: of(ledger, 'standing'), args: [study, CSV, {}], options: 2 },
    'ledger.remove': { call: of(ledger, 'remove'), args: ['x', 'y'] },
    'ledger.export': { call: of(ledger, 'export'), args: [{}], options: 0, isFree: true },
    'ledger.import': { call: of(ledger, 'import'), args: ['{}'] },
    'synthetic.column': { call: of(synthetic, 'column'), args: ['age'] },
    fileStorage: { call: node.fileStorage, args: ['x'] },
    report: { call: report.report, args: [pca, {}], options: 1 },
    'report.toJSON': { call: report.toJSON, args: [[pca], {}], options: 1 },
    'report.toCSV': { call: report.toCSV, args: [[pca]] },
    'report.toCode': { call: report.toCode, args: [[pca]] },
    createCollector: { call: federation.createCollector, args: [session, keys, {}], options: 2 },
    createHelper: { call: federation.createHelper, args: [session, keys, {}], options: 2 },
    createParticipant: {
      call: federation.createParticipant,
      args: [session, { mask }],
      options: 1,
    },
    createSession: {
      call: federation.createSession,
      args: [shared, { collector: keys }],
      options: 1,
    },
    fileTransport: {
      call: federation.fileTransport,
      args: [{ ...transport, save: () => undefined }],
      options: 0,
    },
    relayTransport: {
      call: federation.relayTransport,
      args: [{ ...transport, relay: 'https://example.org/' }],
      options: 0,
    },
    'transport.add': { call: of(file, 'add'), args: [new Blob(['x'])] },
    'transport.send': { call: of(file, 'send'), args: ['all', new Uint8Array(9)] },
    inspectMessage: { call: federation.inspectMessage, args: [new Uint8Array(9)] },
    keysToLink: { call: federation.keysToLink, args: [keys, 'https://example.org/'] },
    keysToText: { call: federation.keysToText, args: [keys] },
    keyWords: { call: federation.keyWords, args: [keys] },
    maskData: { call: federation.maskData, args: [shared, CSV, {}], options: 2 },
    messageFromLink: { call: federation.messageFromLink, args: ['https://example.org/#pmr='] },
    messageToLink: {
      call: federation.messageToLink,
      args: ['https://example.org/', new Uint8Array(9)],
    },
    newRoleKeys: { call: federation.newRoleKeys, args: [suite] },
    newSigningKeys: { call: federation.newSigningKeys, args: [suite] },
    parseKeys: { call: federation.parseKeys, args: ['{}'] },
    parseSecretKeys: { call: federation.parseSecretKeys, args: ['{}'] },
    parseSession: { call: federation.parseSession, args: ['{}'] },
    pidOf: { call: federation.pidOf, args: [keys.sign.public] },
    publicKeys: { call: federation.publicKeys, args: [keys] },
    requireSessionOf: { call: federation.requireSessionOf, args: [shared, session] },
    restoreCollector: {
      call: federation.restoreCollector,
      args: [collector.save(), {}],
      options: 1,
    },
    restoreHelper: { call: federation.restoreHelper, args: ['{}'] },
    restoreParticipant: {
      call: federation.restoreParticipant,
      args: [participant.save(), { mask }],
      options: 1,
    },
    secretKeysToText: { call: federation.secretKeysToText, args: [keys] },
    sessionFromLink: { call: federation.sessionFromLink, args: ['https://example.org/'] },
    sessionToLink: {
      call: federation.sessionToLink,
      args: [shared, session, 'https://example.org/'],
    },
    suiteOfKeys: { call: federation.suiteOfKeys, args: [keys] },
    sumOf: { call: federation.sumOf, args: [shared, collector] },
    'moments.capturedEnergy': { call: of(moments, 'capturedEnergy'), args: [pca.loadings] },
    'moments.inWorker': { call: of(moments, 'inWorker'), args: [{}], options: 0, isFree: true },
  };
  for (const [where, target] of Object.entries({ moments, inWorker, intervals, later })) {
    const own = target as typeof moments;
    Object.assign(calls, {
      [`${where}.pca`]: { call: of(own, 'pca'), args: [{}], options: 0, isFree: true },
      [`${where}.cca`]: { call: of(own, 'cca'), args: [{}], options: 0, isFree: true },
      [`${where}.gcca`]: { call: of(own, 'gcca'), args: [{}], options: 0, isFree: true },
      [`${where}.factorAnalysis`]: {
        call: of(own, 'factorAnalysis'),
        args: [{ factors: 1 }],
        options: 0,
      },
      [`${where}.ridge`]: { call: of(own, 'ridge'), args: [{ target: 'mood' }], options: 0 },
    });
    if (where === 'intervals' || where === 'later') continue;
    Object.assign(calls, {
      [`${where}.lda`]: { call: of(own, 'lda'), args: [{ target: 'work' }], options: 0 },
      [`${where}.plsCorrelation`]: {
        call: of(own, 'plsCorrelation'),
        args: [{}],
        options: 0,
        isFree: true,
      },
      [`${where}.plsRegression`]: {
        call: of(own, 'plsRegression'),
        args: [{ target: 'mood' }],
        options: 0,
      },
      [`${where}.sparsePca`]: { call: of(own, 'sparsePca'), args: [{}], options: 0, isFree: true },
      [`${where}.sparseCca`]: { call: of(own, 'sparseCca'), args: [{}], options: 0, isFree: true },
      [`${where}.uncertainty`]: {
        call: of(own, 'uncertainty'),
        args: [{}],
        options: 0,
        isFree: true,
      },
      [`${where}.synthesize`]: { call: of(own, 'synthesize'), args: [{ rows: 5 }], options: 0 },
    });
  }
});

describe('every function and method', () => {
  it('that takes arguments is in the list of this test', () => {
    const functions = { ...main, ...node, ...report, ...federation };
    /** Classes, which other functions construct, and functions that take no argument or anything. */
    const free = [
      ...['PrivateMomentsError', 'Collector', 'Participant', 'Role', 'Session', 'SplitHelper'],
      ...['mechanisms', 'bestSuite', 'coreArithmetic'],
      ...['browserStorage', 'memoryStorage', 'isSupported', 'plainArithmetic'],
      ...['toCSV', 'toJSON', 'toCode'],
    ];
    const names = Object.entries(functions).flatMap(([name, value]) =>
      typeof value === 'function' && !free.includes(name) ? [name] : [],
    );
    expect(names.filter((name) => calls[name] === undefined)).toEqual([]);
  });

  refuseWhatIsWrong(() => calls);
});

describe('an option with the name used elsewhere', () => {
  const BY: Misnamed[] = [
    ['moments.ridge', { target: 'mood', lambda: 5 }, 'penalty'],
    ['moments.ridge', { target: 'mood', alpha: 5 }, 'penalty'],
    ['moments.pca', { n_components: 1 }, 'components'],
    ['moments.pca', { component: 1 }, 'components'],
    ['moments.cca', { confidence: 0.9 }, 'level'],
    ['moments.gcca', { Level: 0.9 }, 'level'],
    ['moments.uncertainty', { draw: 100 }, 'draws'],
    ['privatize', { delimiter: ';' }, 'csv.delimiter'],
    ['privatize', { decimal: ',' }, 'csv.decimal'],
    ['inspect', { worker: 2 }, 'workers'],
  ];
  answerWithName(() => calls, BY);

  it('gets a hint in a study too', async () => {
    const study = { ...definition(), neighbors: 'add-remove' };
    await failure(() => main.defineStudy(study), {
      code: 'invalid-study',
      message: /did you mean neighbours\?/,
    });
  });
});
