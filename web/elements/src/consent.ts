import type { Guarantee, Study } from 'private-moments';
import { attacker, bestGuess } from '../../package/src/report/guarantee.js';
import { bound, count, list, plural, probability } from './format.js';
import { givesDirections, whatComesOut } from './mechanism.js';

/**
 * A consent text in plain words, made from the study: what is asked, read, sent and promised, and where
 * the promise ends. What a study does not know, who asks and whom to turn to, is left in brackets.
 * `guarantee` is that of one release, where it is known.
 */
export function consentText(study: Study, guarantee?: Guarantee): string {
  const sections: [string, string[]][] = [
    ['Who asks', ['[Who asks, at which institution, and how to reach them]']],
    ['What is asked', [study.description ?? question(study)]],
    ['What is read', whatIsRead(study)],
    ['What leaves', whatLeaves(study)],
    ['What is promised', whatIsPromised(study, guarantee)],
    ['What is not promised', whatIsNot(study)],
    [
      'Your choice',
      [
        study.unit === 'row'
          ? '[How to say no, and until when your record can be left out]'
          : 'Taking part is up to you. Until you send the file you can stop at any time, and nothing has left.',
        'What was sent cannot be called back: once it is added to the rest, it can no longer be told apart.',
      ],
    ],
  ];
  return [
    `Consent: ${study.title}`,
    ...sections.map(([title, lines]) => [title, ...lines].join('\n')),
    `This text is about the study with the fingerprint ${study.id}`,
  ].join('\n\n');
}

function question(study: Study): string {
  const views = Object.keys(study.views ?? {});
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
        ? `- ${column.name}: a number from ${bound(column.min)} to ${bound(column.max)}`
        : `- ${column.name}: one of ${column.levels.join(', ')}`,
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
    independent: 'Only these leave, in one small file.',
    split:
      'Only these leave, masked: one party gets the masked numbers, another what takes the mask off the sum of all sites. Neither can read one site’s numbers alone.',
    ring: 'Only these leave, masked, so that only the sum of all sites can be read.',
    correlated: 'Only these leave, with further noise that cancels in the sum of all sites.',
  };
  return [`${where} ${sums}, ${noise}. ${ways[study.federation.mode]}`];
}

function whatIsPromised(study: Study, guarantee: Guarantee | undefined): string[] {
  const { epsilon, delta } = study.privacy;
  const numbers = delta === 0 ? `ε = ${epsilon}` : `ε = ${epsilon}, δ = ${probability(delta)}`;
  const unit = study.unit === 'row' ? 'your record' : 'your whole file';
  const from =
    study.neighbours === 'replace-one'
      ? `whether ${unit} says one thing or another`
      : `whether ${unit} was there at all`;
  const guess =
    guarantee === undefined
      ? []
      : [
          `${attacker(study, 'yours')} With what leaves, their best guess is right at most ${count(Math.ceil(bestGuess(guarantee)))} times in 100. A coin is right 50 times.`,
        ];
  const honest =
    study.federation.mode === 'independent'
      ? []
      : [
          `This holds as long as at least ${count(study.federation.honest)} of the ${count(study.federation.sites)} sites keep to themselves what they hold.`,
        ];
  return [
    `Whoever sees what leaves can barely tell ${from}, whatever else they know. This is differential privacy with ${numbers}, for each time the study is done.`,
    ...guess,
    ...honest,
  ];
}

function whatIsNot(study: Study): string[] {
  const size =
    study.neighbours === 'replace-one' && study.unit === 'row'
      ? ['How many records there are is not hidden.']
      : [];
  const { delta } = study.privacy;
  const rest = delta === 0 ? [] : [`The promise has a remainder δ: ${deltaInWords(delta)}.`];
  return [
    'What many records say together is what the study is for. It may teach something about people like you, whether you take part or not.',
    ...size,
    ...rest,
    'Each further study with the same data adds to what can be told.',
  ];
}

/** A small chance in words: "a chance of 1 in 1,000,000". */
export function deltaInWords(delta: number): string {
  return `a chance of 1 in ${count(Math.round(1 / delta))} that more is told`;
}
