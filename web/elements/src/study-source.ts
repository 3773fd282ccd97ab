import { PrivateMomentsError, defineStudy, parseStudy, studyFromLink } from 'private-moments';
import type { Study, StudyDefinition } from 'private-moments';
import type { Session } from 'private-moments/federation';
import { hasPart } from './address.js';
import type { StudySource } from './public.js';
import { federation } from './session-files.js';

export type { StudySource };

/** A sample folder holds study.json and site-01.csv to this many. */
export const SAMPLE_SITES = 10;

/**
 * The study behind a study object, a definition, a study file, a study link, JSON text, or the
 * address of a study file.
 * @throws PrivateMomentsError naming the field at fault.
 */
export async function readStudy(source: StudySource): Promise<Study> {
  if (source instanceof Blob) return studyFromText(await source.text());
  if (typeof source !== 'string') return isStudy(source) ? source : defineStudy(source);
  const text = source.trim();
  if (text.startsWith('{')) return studyFromText(text);
  if (text.includes('#')) return studyFromLink(text);
  return studyFromText(await fetchText(text));
}

/** The same, and its session where the source is a link with one. @throws PrivateMomentsError */
export async function readSession(
  source: StudySource,
): Promise<{ study: Study; session?: Session }> {
  if (typeof source === 'string' && source.includes('#') && hasPart(source, 'session')) {
    return (await federation()).sessionFromLink(source);
  }
  return { study: await readStudy(source) };
}

/** Whether this is the study of the sample in the given folder. */
export async function isSampleStudy(study: Study, folder: string): Promise<boolean> {
  if (folder === '') return false;
  try {
    return (await readStudy(`${folder}study.json`)).id === study.id;
  } catch {
    return false;
  }
}

/** The text of a file of this site. */
export async function fetchText(address: string): Promise<string> {
  let response: Response;
  try {
    response = await fetch(address);
  } catch (cause) {
    const message = `${fileName(address)} cannot be read without the network`;
    throw new PrivateMomentsError('read-failed', message, {}, cause);
  }
  if (!response.ok) {
    throw new PrivateMomentsError('read-failed', `this site has no file ${fileName(address)}`);
  }
  return response.text();
}

/** Written by hand a study may lack its format; with a format it must be the right one. */
function studyFromText(text: string): Study {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new PrivateMomentsError('invalid-study', 'this file is not a study', {}, cause);
  }
  const named = typeof json === 'object' && json !== null && 'format' in json;
  return named ? parseStudy(text) : defineStudy(json as StudyDefinition);
}

function isStudy(source: Study | StudyDefinition): source is Study {
  return 'id' in source && 'toLink' in source;
}

function fileName(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}
