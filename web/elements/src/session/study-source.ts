import { PrivateMomentsError, defineStudy, parseStudy, studyFromLink } from 'private-moments';
import type { Study, StudyDefinition } from 'private-moments';
import type { Session } from 'private-moments/federation';
import { hasPart } from '../base/address.js';
import type { StudySource } from '../contract/elements.js';
import { federation } from './session-files.js';

export type { StudySource };

/** The number of files in a sample folder, beside study.json: site-01.csv and so on. */
export const SAMPLE_SITES = 10;

/** The name of a sample file without its ending, from 1: "site-01". */
export function sampleName(site: number): string {
  return `site-${String(site).padStart(2, '0')}`;
}

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

/** The same, and the session if the source is a session link. @throws PrivateMomentsError */
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
    const message = `${fileName(address)} could not be loaded: check your connection`;
    throw new PrivateMomentsError('read-failed', message, {}, cause);
  }
  if (!response.ok) {
    throw new PrivateMomentsError('read-failed', `this site has no file ${fileName(address)}`);
  }
  return response.text();
}

/** A study written by hand may omit its format; if the format is there, it must be right. */
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
