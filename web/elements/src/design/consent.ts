import type { Guarantee, Study } from 'private-moments';
import {
  amountTold,
  bestGuess,
  bound,
  capitalised,
  count,
  guessInWords,
  leftInWords,
  list,
  namedLevels,
  plural,
  probability,
  strength,
  type Amount,
} from 'private-moments/words';
import { givesDirections, whatComesOut, whatElseLeaves } from '../base/mechanism.js';
import { viewNames } from '../session/view-order.js';
import { floorWords, trustWords, shareOfNoise, whatIsSeen } from '../session/session-words.js';

/**
 * A consent text in plain words, made from the study: what is asked, read, sent and promised, and where
 * the promise ends. Brackets mark what the study does not say. `guarantee` is that of one release.
 */
export function consentText(study: Study, guarantee?: Guarantee): string {
  const sections: [string, string[]][] = [
    ['Who asks', whoAsks(study)],
    ['What is asked', [study.description ?? question(study)]],
    ['What is read', whatIsRead(study)],
    ['What leaves', whatLeaves(study)],
    ['What is promised', whatIsPromised(study, guarantee)],
    ['What is not promised', whatIsNot(study, guarantee)],
    [
      'Your choice',
      [
        study.unit === 'row'
          ? '[How to say no, and until when your record can be left out]'
          : 'Taking part is up to you. Until you send the file you can stop at any time, and nothing has left.',
        'What was sent cannot be withdrawn: once it is added to the rest, it can no longer be separated.',
      ],
    ],
  ];
  return [
    `Consent: ${study.title}`,
    ...sections.map(([title, lines]) => [title, ...lines].join('\n')),
    `This text is about the study with the fingerprint ${study.id}`,
  ].join('\n\n');
}

/** Where releases go need not be where questions go, so the text leaves that open. */
function whoAsks({ organizer }: Study): string[] {
  if (organizer === undefined) {
    return ['[Who asks, at which institution, and how to reach them]'];
  }
  return [organizer, 'Questions: [how to reach them]'];
}

function question(study: Study): string {
  const views = viewNames(study);
  return views.length === 0
    ? 'How the columns below vary together.'
    : `How ${list(views)} go together.`;
}

function whatIsRead(study: Study): string[] {
  const n = study.columns.length;
  const whose = study.unit === 'row' ? 'From your record' : 'From your file';
  return [
    `${whose} ${plural(n, 'column')} and nothing else:`,
    ...study.columns.map((column) =>
      column.type === 'number'
        ? `- ${column.label ?? column.name}: a number from ${bound(column.min)} to ${bound(column.max)}${column.unit === undefined ? '' : ` ${column.unit}`}`
        : `- ${column.label ?? column.name}: one of ${namedLevels(column).join(', ')}`,
    ),
    'A number outside these limits is moved to the nearest limit.',
  ];
}

function whatLeaves(study: Study): string[] {
  const sums = whatComesOut(study);
  const where =
    study.unit === 'row'
      ? 'Your record stays where it is kept. There, all records together become'
      : 'Your file stays on your computer. There it becomes';
  const noise = givesDirections(study)
    ? 'drawn partly at random'
    : 'and each gets fresh random noise';
  const ways: Record<Study['federation']['mode'], string> = {
    independent: 'These leave in one small file.',
    split: `These leave, masked: the analyst gets the masked numbers, and the helper gets what unmasks ${whatIsSeen(study)}. Neither of them alone can read one site’s numbers; together they can.`,
    ring: `These leave, masked, so that only ${whatIsSeen(study)} can be read.`,
    correlated: 'These leave, with further noise that cancels in the sum of all sites.',
  };
  return [
    `${where} ${sums}, ${noise}. ${ways[study.federation.mode]}`,
    `With them go ${list(whatElseLeaves(study, 'records'))}. No single record leaves.`,
    ...(study.contact === undefined ? [] : [`Where they go: ${study.contact}`]),
  ];
}

/** What the promise hides. That a participant takes part is visible, but not what the file says. */
function whatIsHidden({ unit, neighbours }: Study): string {
  if (unit === 'row') {
    return neighbours === 'replace-one'
      ? 'whether your record says one thing or another'
      : 'whether your record was there at all';
  }
  return neighbours === 'replace-one'
    ? 'whether your file says one thing or another'
    : 'whether your file counted or an empty one in its place';
}

/** The most that can be learned, in words no stronger than the best guess allows. */
function learned(study: Study, guarantee: Guarantee | undefined): string {
  const who = `anyone who sees ${whatIsSeen(study)}`;
  const what = `${whatIsHidden(study)}, whatever else they know`;
  if (guarantee === undefined) return `There is a limit to how much ${who} learns about ${what}.`;
  const words: Record<Amount, string> = {
    'very little': `learns very little about ${what}.`,
    some: `may learn something about ${what}.`,
    much: `may learn much about ${what}.`,
    'almost everything': `may be able to tell almost for certain ${whatIsHidden(study)}: this study hardly hides it.`,
  };
  return `${capitalised(who)} ${words[amountTold(bestGuess(guarantee))]}`;
}

function whatIsPromised(study: Study, guarantee: Guarantee | undefined): string[] {
  return [
    `${learned(study, guarantee)} This is differential privacy with ${strength(guarantee ?? study.privacy)}, for each time the study is run.`,
    ...(guarantee === undefined ? [] : [guessInWords(guarantee, 'yours', whatIsSeen(study))]),
    ...onWhomItRests(study, guarantee),
  ];
}

function onWhomItRests(study: Study, guarantee: Guarantee | undefined): string[] {
  const { mode } = study.federation;
  if (mode === 'independent') return [];
  const whose = study.unit === 'row' ? 'your site’s numbers' : 'your numbers';
  // Text to be copied uses plain spaces.
  const left =
    guarantee === undefined ? '' : `: ${floorWords(guarantee).replaceAll('\u00a0', ' ')}`;
  return [
    trustWords(study),
    ...(guarantee === undefined ? [] : leftInWords(guarantee)),
    ...(mode === 'split'
      ? [
          `If the analyst and the helper share files, they can read ${whose}, which carry ${shareOfNoise(study)}${left}.`,
        ]
      : []),
  ];
}

function whatIsNot(study: Study, guarantee: Guarantee | undefined): string[] {
  const { delta } = guarantee ?? study.privacy;
  return [
    'What many records say together is what the study is for. It may teach something about people like you, whether you take part or not.',
    ...(study.unit === 'participant'
      ? ['That you take part is not hidden: what you send shows it.']
      : study.neighbours === 'replace-one'
        ? ['How many records there are is not hidden.']
        : []),
    ...(delta === 0 ? [] : [`The promise has some slack, δ: ${deltaInWords(delta)}.`]),
    'Each further study of the same data adds to what can be learned.',
  ];
}

/** What δ adds, in words: "... exceed what ε allows by up to 1 in 1,000,000". */
export function deltaInWords(delta: number): string {
  return `the probability of any result may exceed what ε allows by up to ${oneIn(delta)}`;
}
/** A small probability as "1 in 1,000,000", a large one as a number; never rounded down. */
export function oneIn(delta: number): string {
  return delta > 0.1 ? probability(delta) : `1 in ${count(Math.floor(1 / delta + 1e-6))}`;
}
