/** The designer's worker: forecasts the study and reads example files. */
import { advise, defineStudy, forecast, mechanisms } from 'private-moments';
import type { Forecast, Study, StudyDefinition } from 'private-moments';
import { openPort, nextTask, usualHonest } from 'private-moments/internal';
import { loadAnalysis } from 'private-moments/internal/core';
import type { Answer } from '../base/answer.js';
import { closedAfter } from '../base/closed.js';
import type {
  AdviceInWords,
  DesignQuestion,
  FromDesignerWorker,
  ToDesignerWorker,
  Variant,
} from './designer-protocol.js';
import { propose } from './example-file.js';
import { describe } from '../base/failure.js';
import { pointOf, type ForecastPoint } from '../figures/forecast-surface.js';
import { latest } from '../base/latest.js';

const closed = closedAfter(loadAnalysis);
const port = openPort<FromDesignerWorker, ToDesignerWorker>();
port?.listen((message) => {
  if (message.type === 'example') void readExample(message.id, message.file);
  else ask(message);
});

function post(message: FromDesignerWorker): void {
  port?.post(message);
}

async function readExample(id: number, file: Blob): Promise<void> {
  post({ type: 'example', id, answer: await answered(async () => propose(await file.text())) });
}

/** Answers in steps, so that a newer question can interrupt. */
const ask = latest<DesignQuestion>(async (question, isLatest) => {
  for (const step of stepsOf(question)) {
    post(await step());
    await nextTask();
    if (!isLatest()) return;
  }
});

function* stepsOf(question: DesignQuestion): Generator<() => Promise<FromDesignerWorker>> {
  const { id, definition, modes } = question;
  const { epsilon } = definition.privacy;
  yield async () => ({
    type: 'forecast',
    id,
    answer: await answered(() => forecastAt(question, epsilon, question)),
  });
  const [nearest, others] = [
    question.points.slice(0, MOST_WANTED),
    question.points.slice(MOST_WANTED),
  ];
  for (const [e, size] of nearest) yield () => pointAt(question, e, size);
  if (question.variants.length > 0) yield () => variantsOf(question);
  yield async () => ({ type: 'advice', id, answer: await answered(() => adviceOn(question)) });
  if (modes.length > 0) {
    yield async () => ({ type: 'modes', id, noise: await noiseOf(modes, question.sites) });
  }
  for (const [e, size] of others) yield () => pointAt(question, e, size);
}

/** How many points are computed before the advice: those of the curves through the present choice. */
const MOST_WANTED = 36;

async function pointAt(
  question: DesignQuestion,
  epsilon: number,
  size: number,
): Promise<FromDesignerWorker> {
  const { id, definition, along, rows, sites } = question;
  const variant =
    along === 'rows'
      ? { definition, rows: size, sites }
      : { definition: withSites(definition, size), rows, sites: size };
  const point = await pointFor(question, epsilon, variant);
  return { type: 'point', id, epsilon, size, point };
}

/** The point of a study, or null. The answer about the present choice reports an error once. */
async function pointFor(
  question: DesignQuestion,
  epsilon: number,
  variant: Variant,
): Promise<ForecastPoint | null> {
  try {
    return pointOf(await forecastAt(question, epsilon, variant));
  } catch {
    return null;
  }
}

async function variantsOf(question: DesignQuestion): Promise<FromDesignerWorker> {
  const points: (ForecastPoint | null)[] = [];
  for (const variant of question.variants) {
    points.push(await pointFor(question, variant.definition.privacy.epsilon, variant));
  }
  return { type: 'variants', id: question.id, points };
}

/** The study with another number of sites, the same share of them honest and missing. */
function withSites(definition: StudyDefinition, sites: number): StudyDefinition {
  const { federation } = definition;
  if (federation?.sites === undefined) return definition;
  if (federation.mode === 'independent') {
    return { ...definition, federation: { ...federation, sites } };
  }
  const share = sites / federation.sites;
  const { honest = usualHonest(federation.sites) } = federation;
  const scaled = { sites, honest: Math.min(sites, Math.max(1, Math.ceil(honest * share))) };
  return {
    ...definition,
    federation:
      federation.mode === 'correlated'
        ? { ...federation, ...scaled }
        : { ...federation, ...scaled, dropouts: Math.floor((federation.dropouts ?? 0) * share) },
  };
}

function forecastAt(
  { assumed }: DesignQuestion,
  epsilon: number,
  { definition, rows, sites }: Variant,
): Promise<Forecast> {
  const { delta } = definition.privacy;
  const study = defineStudy({ ...definition, privacy: { epsilon, delta } });
  return forecast(study, { ...assumed, ...sizes(study, rows, sites) });
}

/** The numbers of rows and releases: each participant counts as one of both. */
function sizes({ unit }: Study, rows: number, sites: number): { rows: number; sites: number } {
  const all = Math.max(2, Math.round(unit === 'row' ? rows * sites : rows));
  return { rows: all, sites: unit === 'row' ? sites : all };
}

async function adviceOn({
  definition,
  rows,
  sites,
  assumed,
}: DesignQuestion): Promise<AdviceInWords> {
  const study = defineStudy(definition);
  const [advice, registry] = await Promise.all([
    advise(study, { ...assumed, ...sizes(study, rows, sites) }),
    mechanisms(),
  ]);
  const titles = Object.fromEntries(registry.map(({ name, title }) => [name, title]));
  return { ...advice, titles };
}

/** Noise in the sum of all sites, divided by what one trusted computer with all rows would add. */
async function noiseOf(
  modes: readonly StudyDefinition[],
  sites: number,
): Promise<(number | null)[]> {
  const noise = async (definition: StudyDefinition, releases: number): Promise<number | null> => {
    try {
      const rows = Math.max(2, releases);
      const { covariance } = await forecast(defineStudy(definition), { rows, sites: releases });
      return covariance.entrySd.offDiagonal * rows;
    } catch {
      return null;
    }
  };
  const [first] = modes;
  if (first === undefined) return [];
  const alone = await noise({ ...first, federation: { mode: 'independent' } }, 1);
  const all: (number | null)[] = [];
  for (const mode of modes) {
    const own = await noise(mode, sites);
    all.push(own === null || alone === null ? null : own / alone);
  }
  return all;
}

async function answered<T>(run: () => Promise<T>): Promise<Answer<T>> {
  try {
    await closed();
    return { value: await run() };
  } catch (error) {
    return { error: describe(error) };
  }
}
