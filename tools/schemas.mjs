#!/usr/bin/env node
// Writes the JSON Schemas of the formats to schemas/, from the tables that the parsers use. With `--check` it writes
// nothing and fails if a file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The tables of the package, which are TypeScript without anything to load. */
async function tables() {
  const contents = `
    export { MECHANISM_FACTS } from './generated/mechanisms.js';
    export { FEDERATION_MODES, MAX_SITES } from './study/federation-terms.js';
    export { packedLength } from './study/features.js';
    export { MAX_FEATURES } from './study/types.js';
  `;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.join(ROOT, 'web/package/src') },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

const LARGEST = Number.MAX_SAFE_INTEGER;
const MAX_LEVELS = 24;
const MAX_SUM_GROUPS = 7;

const ref = (name) => ({ $ref: `#/$defs/${name}` });
const text = (maxLength = 200) => ({ type: 'string', pattern: '\\S', maxLength });
/** A text without spaces at its ends. */
const trimmed = (maxLength = 200) => ({
  type: 'string',
  pattern: '^\\S([\\s\\S]*\\S)?$',
  maxLength,
});
const number = (limits = {}) => ({ type: 'number', ...limits });
const whole = (minimum, maximum = LARGEST) => ({ type: 'integer', minimum, maximum });
const list = (items, minItems, maxItems) => ({ type: 'array', items, minItems, maxItems });
const nullable = (schema) => ({ anyOf: [{ type: 'null' }, schema] });
const choice = (values) => ({ enum: [...values] });
const optional = (schema) => ({ ...schema, optional: true });

/** An object that has these fields, all but the `optional` ones, and no others. */
function closed(fields) {
  return { ...open(fields), additionalProperties: false };
}

/** The same, with further fields allowed. */
function open(fields) {
  const properties = structuredClone(fields);
  for (const schema of Object.values(properties)) delete schema.optional;
  const required = Object.keys(fields).filter((name) => !fields[name].optional);
  return { type: 'object', required, properties };
}

const digest = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const safe = { type: 'integer', minimum: -LARGEST, maximum: LARGEST };

const NEIGHBOURS = choice(['replace-one', 'add-remove']);
const UNIT = choice(['row', 'participant']);
const NUMERICS = choice(['exact', 'idealized']);

const bounds = {
  epsilon: number(),
  delta: number(),
  gdp: optional(number()),
  zcdp: optional(number()),
  totalVariation: optional(number()),
};

const guarantee = closed({
  ...bounds,
  neighbours: NEIGHBOURS,
  unit: UNIT,
  numerics: NUMERICS,
  assumes: { type: 'array', items: text(400) },
  parts: optional({ type: 'array', items: closed({ what: text(), ...bounds }) }),
  honest: optional(whole(1)),
  floor: optional(nullable(ref('cost'))),
  alone: optional(ref('cost')),
});

const noise = closed({
  distribution: text(),
  sampler: text(),
  rng: text(),
  bits: number(),
  gridLog2: number(),
  unit: number(),
  mean: number(),
  sdDiagonal: number(),
  sdOffDiagonal: number(),
  parameters: {
    type: 'object',
    maxProperties: 32,
    propertyNames: { pattern: '^[a-z][a-zA-Z0-9]{0,39}$' },
    additionalProperties: { anyOf: [number(), { type: 'string', pattern: '^[0-9]{1,40}$' }] },
  },
});

/** What people call a feature. */
const featureWords = open({
  name: { type: 'string' },
  column: { type: 'string' },
  level: optional({ type: 'string' }),
  unit: optional({ type: 'string' }),
  zeroToOne: optional({ const: true }),
});

/** One object for each mechanism, with the options that it has. */
function mechanismObjects(facts, maxFeatures) {
  return Object.entries(facts).map(([name, { directions, options }]) => {
    const most = directions?.fewerThanFeatures ? maxFeatures - 1 : maxFeatures;
    const components = whole(1, most);
    const own = options.map((option) => [
      option.name,
      optional(option.choices ? choice(option.choices) : whole(option.least, option.most)),
    ]);
    return closed({
      name: { const: name },
      ...Object.fromEntries(own),
      components: directions?.needsCount ? components : optional(components),
    });
  });
}

const document = (kind, title, description, schema) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `urn:private-moments:${kind}`,
  title,
  description,
  ...schema,
});

function study({ MECHANISM_FACTS, MAX_FEATURES, MAX_SITES }) {
  const words = {
    label: optional(text()),
    unit: optional(text(40)),
    description: optional(text(1000)),
  };
  const names = Object.entries(MECHANISM_FACTS);
  const alone = names.filter(([, { directions }]) => !directions?.needsCount);
  const sites = (most) => ({ sites: whole(2, most), honest: whole(1) });
  return document(
    'study@1',
    'Study',
    'The public terms that all participants of a study share, as parseStudy reads them.',
    {
      ...closed({
        format: { const: 'private-moments/study@1' },
        title: text(),
        description: optional(text(4000)),
        organizer: optional(text()),
        contact: optional(text()),
        columns: list({ oneOf: [ref('numberColumn'), ref('categoryColumn')] }, 1, MAX_FEATURES),
        views: optional({
          type: 'object',
          minProperties: 2,
          propertyNames: { ...trimmed(), not: { const: '__proto__' } },
          additionalProperties: { type: 'array', items: text(), minItems: 1, uniqueItems: true },
        }),
        unit: optional(UNIT),
        neighbours: optional(NEIGHBOURS),
        missing: optional(choice(['centre', 'drop', 'error', 'pairwise', 'mean'])),
        missingValues: optional(list(text(40), 1, 20)),
        rowNorm: optional(number({ minimum: 1e-100, maximum: 1e100 })),
        clipping: optional(choice(['fixed', 'adaptive', 'centred'])),
        privacy: closed({
          epsilon: number({ exclusiveMinimum: 0 }),
          delta: number({ minimum: 0, exclusiveMaximum: 1 }),
        }),
        mechanism: optional(ref('mechanism')),
        federation: optional(ref('federation')),
      }),
      if: { properties: { missing: { const: 'drop' } }, required: ['missing'] },
      then: { properties: { neighbours: { const: 'add-remove' } }, required: ['neighbours'] },
      $defs: {
        numberColumn: closed({
          name: trimmed(),
          type: { const: 'number' },
          min: number(),
          max: number(),
          centre: optional(number()),
          spread: optional(number({ exclusiveMinimum: 0 })),
          ...words,
        }),
        categoryColumn: closed({
          name: trimmed(),
          type: { const: 'category' },
          levels: { ...list(trimmed(), 1, MAX_FEATURES), uniqueItems: true },
          levelLabels: optional({ type: 'object', additionalProperties: text() }),
          ...words,
        }),
        mechanism: {
          oneOf: [
            choice(alone.map(([name]) => name)),
            ...mechanismObjects(MECHANISM_FACTS, MAX_FEATURES),
          ],
        },
        federation: {
          oneOf: [
            closed({
              mode: { const: 'independent' },
              sites: optional(whole(1)),
              honest: optional(whole(0)),
            }),
            closed({ mode: { const: 'split' }, ...sites(MAX_SITES), dropouts: optional(whole(0)) }),
            closed({
              mode: { const: 'ring' },
              ...sites(1000),
              dropouts: optional(whole(0)),
              threshold: optional(whole(2)),
            }),
            closed({
              mode: { const: 'correlated' },
              ...sites(1000),
              ratio: optional(number({ exclusiveMinimum: 0, maximum: 1e6 })),
              calibration: optional(choice(['joint', 'paper'])),
            }),
          ],
        },
      },
    },
  );
}

function release({ MECHANISM_FACTS, MAX_FEATURES, packedLength }) {
  const ofContent = (content) =>
    Object.keys(MECHANISM_FACTS).filter((name) => MECHANISM_FACTS[name].content === content);
  const named = (content, maxItems) => ({
    if: {
      required: ['mechanism'],
      properties: {
        mechanism: { required: ['name'], properties: { name: choice(ofContent(content)) } },
      },
    },
    then: { properties: { content: { const: content }, values: { maxItems } } },
  });
  const numerics = (value) => ({
    if: {
      required: ['guarantee'],
      properties: {
        guarantee: { required: ['numerics'], properties: { numerics: { const: value } } },
      },
    },
    then: { properties: { numerics: { const: value } } },
  });
  const { properties, ...rest } = noise;
  return document('release@1', 'Release', 'What leaves a participant, as parseRelease reads it.', {
    ...closed({
      format: { const: 'private-moments/release@1' },
      library: { ...text(), not: { pattern: 'UNSAFE' } },
      study: digest,
      mechanism: { oneOf: mechanismObjects(MECHANISM_FACTS, MAX_FEATURES) },
      content: choice(['moments', 'components']),
      guarantee,
      rows: nullable(whole(1)),
      clipping: optional(closed({ level: whole(0), counts: list(safe, 1, MAX_LEVELS) })),
      centring: optional(
        closed({
          survey: list(safe, 1, 2 * MAX_FEATURES + 1),
          centre: list(number(), 0, MAX_FEATURES),
          scale: list(number(), 0, MAX_FEATURES),
          radius: number(),
          levels: whole(1, MAX_LEVELS),
        }),
      ),
      noise: { ...rest, properties: { ...properties, rng: { const: 'chacha20-fke/1' } } },
      numerics: NUMERICS,
      values: { type: 'array', items: safe, minItems: 1 },
      id: digest,
    }),
    allOf: [
      named('moments', packedLength(MAX_FEATURES)),
      named('components', MAX_FEATURES * (MAX_FEATURES + 1)),
      numerics('exact'),
      numerics('idealized'),
    ],
    $defs: { cost: closed(bounds) },
  });
}

function sum({ MECHANISM_FACTS, MAX_FEATURES, FEDERATION_MODES }) {
  const additive = Object.entries(MECHANISM_FACTS).filter(
    ([, { content }]) => content === 'moments',
  );
  const wholes = (maxItems) => list(ref('whole'), 1, maxItems);
  // Those of releases with private centring are the longest.
  const summands = 3 * MAX_FEATURES ** 2 + 8 * MAX_FEATURES + 8;
  return document('sum@1', 'Sum', 'Releases that were summed elsewhere, as parseSum reads them.', {
    ...closed({
      format: { const: 'private-moments/sum@1' },
      library: text(),
      study: digest,
      mode: choice(FEDERATION_MODES),
      session: nullable(digest),
      members: digest,
      mechanism: { oneOf: mechanismObjects(Object.fromEntries(additive), MAX_FEATURES) },
      guarantee,
      noise,
      groups: list(
        closed({
          level: whole(0, MAX_SUM_GROUPS - 1),
          releases: whole(1, 2 ** 40),
          rows: nullable(whole(1)),
          counts: optional(wholes(MAX_SUM_GROUPS)),
          reach: optional(list(safe, 1, MAX_FEATURES)),
          values: wholes(summands),
        }),
        1,
        MAX_SUM_GROUPS,
      ),
      id: digest,
    }),
    $defs: {
      cost: closed(bounds),
      whole: { anyOf: [safe, { type: 'string', pattern: '^-?[1-9][0-9]{15,30}$' }] },
    },
  });
}

function session({ MAX_FEATURES, MAX_SITES, packedLength }) {
  const key = (name, bytes) => ({
    type: 'string',
    pattern: `^${name}:${bytes === 65 ? 'B[A-P]' : ''}[A-Za-z0-9_-]{${bytes === 65 ? 85 : 43}}$`,
  });
  const suites = [
    { suite: '25519', sign: key('ed25519', 32), seal: key('x25519', 32) },
    { suite: 'p256', sign: key('ecdsa-p256', 65), seal: key('ecdh-p256', 65) },
  ];
  const dropouts = whole(0);
  const modes = [
    ['split', MAX_SITES, ['analyst', 'helper'], { dropouts }],
    ['ring', 1000, ['coordinator'], { dropouts, threshold: whole(2) }],
    ['correlated', MAX_SITES, ['coordinator'], {}],
  ];
  return document('session@2', 'Session', 'One collection of releases, as parseSession reads it.', {
    oneOf: modes.flatMap(([mode, most, roles, terms]) =>
      suites.map(({ suite, sign, seal }) =>
        closed({
          format: { const: 'private-moments/session@2' },
          study: digest,
          mode: { const: mode },
          suite: { const: suite },
          attempt: whole(1),
          sites: whole(2, most),
          honest: whole(1),
          ...terms,
          length: whole(1, packedLength(MAX_FEATURES)),
          ...Object.fromEntries(roles.map((role) => [role, closed({ sign, seal })])),
          allow: optional({ ...list(sign, 2, 2 ** 16), uniqueItems: true }),
        }),
      ),
    ),
  });
}

/** Results may get further fields in later versions, so their objects are open. */
function result() {
  // What is not known is null.
  const value = { type: ['number', 'null'] };
  const texts = { type: 'array', items: { type: 'string' } };
  const values = { type: 'array', items: value };
  const matrix = ref('matrix');
  const estimate = (more = {}) =>
    open({
      value,
      low: optional(value),
      high: optional(value),
      belowNoiseFloor: { type: 'boolean' },
      ...more,
    });
  const count = { type: 'integer', minimum: 1 };
  const choices = { anyOf: [{ type: 'string' }, texts] };
  const intervals = {
    level: optional(number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
    draws: optional(count),
    seed: optional(whole(0)),
  };
  const view = {
    columns: texts,
    centre: matrix,
    deviation: matrix,
    weights: matrix,
    loadings: matrix,
  };
  const views = (fields) => ({ type: 'object', additionalProperties: open(fields) });
  const resolution = {
    resolved: { type: 'boolean' },
    hidden: { type: 'object', additionalProperties: count },
  };
  const rotations = choice(['varimax', 'promax']);
  const analyses = {
    pca: {
      options: open({ components: count, rotation: optional(rotations), ...intervals }),
      explained: {
        type: 'array',
        items: estimate({ share: value, shareLow: optional(value), shareHigh: optional(value) }),
      },
      columns: texts,
      centre: matrix,
      deviation: matrix,
      weights: matrix,
      loadings: matrix,
      correlations: matrix,
      rotation: optional(
        open({
          method: rotations,
          components: whole(0),
          note: { type: ['string', 'null'] },
          explained: {
            type: 'array',
            items: open({ share: value, shareLow: optional(value), shareHigh: optional(value) }),
          },
          weights: matrix,
          loadings: matrix,
          correlations: matrix,
          phi: matrix,
        }),
      ),
      noiseFloor: value,
    },
    cca: {
      options: open({ x: choices, y: choices, components: count, ...intervals }),
      correlations: { type: 'array', items: estimate({ noiseFloor: value }) },
      ...resolution,
      views: views({ ...view, crossLoadings: matrix, variance: matrix }),
      noiseFloor: value,
    },
    gcca: {
      options: open({
        views: { type: 'array', items: choices, minItems: 2 },
        components: count,
        ...intervals,
      }),
      shared: { type: 'array', items: estimate({ eigenvalue: value, noiseFloor: value }) },
      ...resolution,
      views: views(view),
      pairs: matrix,
      noiseFloor: value,
    },
    factorAnalysis: {
      options: open({
        factors: count,
        columns: choices,
        rotation: optional(rotations),
        ...intervals,
      }),
      factors: { type: 'array', items: estimate({ share: value, eigenvalue: value }) },
      note: { type: ['string', 'null'] },
      columns: texts,
      centre: matrix,
      deviation: matrix,
      weights: matrix,
      loadings: matrix,
      correlations: matrix,
      phi: matrix,
      uniquenesses: matrix,
      communalities: matrix,
      heywood: { type: 'array', items: { type: 'string' } },
      noiseFloor: value,
      residual: value,
    },
    ridge: {
      options: open({
        target: { type: 'string' },
        features: texts,
        penalty: number({ minimum: 0 }),
        level: intervals.level,
      }),
      target: { type: 'string' },
      intercept: value,
      coefficients: {
        type: 'array',
        items: estimate({ column: { type: 'string' }, noiseFloor: value }),
      },
      deviation: matrix,
      r2: estimate({ noiseFloor: value }),
      residualSd: value,
      penalty: number({ minimum: 0 }),
      noiseFloor: value,
    },
  };
  const others = [
    'lda',
    'plsCorrelation',
    'plsRegression',
    'sparsePca',
    'sparseCca',
    'uncertainty',
    'moments',
    'components',
    'synthesis',
  ];
  return document(
    'result@1',
    'Result',
    'What toJSON() of a result gives. The fields of pca, cca, gcca, factorAnalysis and ridge are described, those of the other analyses are not. Later versions may add fields.',
    {
      ...open({
        format: { const: 'private-moments/result@1' },
        analysis: choice([...Object.keys(analyses), ...others]),
        options: { type: 'object' },
        origin: open({
          library: text(),
          study: open({
            id: digest,
            title: text(),
            unit: UNIT,
            neighbours: NEIGHBOURS,
            sites: optional(count),
            words: optional({ type: 'object', additionalProperties: featureWords }),
          }),
          releases: whole(0),
          noise: text(),
        }),
        guarantee: nullable(guarantee),
        rows: value,
      }),
      allOf: Object.entries(analyses).map(([name, fields]) => ({
        if: { required: ['analysis'], properties: { analysis: { const: name } } },
        then: open({ ...fields, rows: number() }),
      })),
      $defs: {
        cost: closed(bounds),
        matrix: open({
          rows: texts,
          columns: texts,
          values,
          low: optional(values),
          high: optional(values),
        }),
      },
    },
  );
}

/** The texts of the files in schemas/, by their names. */
export async function schemaFiles() {
  const known = await tables();
  const style = await resolveConfig(path.join(ROOT, 'package.json'));
  const all = { study, release, sum, session, result };
  const files = Object.entries(all).map(async ([name, make]) => {
    const options = { ...style, parser: 'json' };
    return [`${name}.schema.json`, await format(JSON.stringify(make(known)), options)];
  });
  return Object.fromEntries(await Promise.all(files));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isCheck = process.argv.includes('--check');
  for (const [name, wanted] of Object.entries(await schemaFiles())) {
    const file = path.join(ROOT, 'schemas', name);
    if (!isCheck) writeFileSync(file, wanted);
    else if (readFileSync(file, 'utf8') !== wanted) {
      console.error(`schemas/${name} is out of date: run node tools/schemas.mjs`);
      process.exitCode = 1;
    }
  }
}
