import { UsageError, type Command } from 'private-moments/internal';
import { count, significant, strength } from 'private-moments/words';
import {
  choiceOf,
  numberOf,
  present,
  readArguments,
  requiredNumber,
} from '../../../command/src/arguments.js';
import { cancellable } from '../../../command/src/cancel.js';
import { jsonText } from '../parts/json.js';
import { missingPackage } from '../parts/packages.js';
import { ProgressLine } from '../parts/progress.js';
import { facts, paragraphs } from '../../../command/src/table.js';

const help = `private-moments audit: attack the real code of a mechanism, to see whether it breaks its promise.

  private-moments audit MECHANISM --epsilon E
  private-moments audit --list

It makes releases of two neighbouring data sets and guesses which one each came from. The share of right
guesses proves a lower bound of epsilon. An audit can break a promise; it cannot prove one. The command
needs the package private-moments-research.

  --epsilon E          the promise to attack
  --delta D            delta of the bound (1e-6)
  --neighbours WORD    replace-one or add-remove (replace-one)
  --runs N             attacks on each of the two data sets (500)
  --confidence C       of all bounds together (0.95)
  --noise F            a mutant with noise F times as large, which must fail below 1 (1)
  --list               print the names of the mechanisms
  --json               for programs

Exit status: 0 if the promise stands, 3 if it is broken.

Example:
  private-moments audit gaussian --epsilon 1 --runs 300`;

const options = {
  list: { type: 'boolean' },
  epsilon: { type: 'string' },
  delta: { type: 'string' },
  neighbours: { type: 'string' },
  runs: { type: 'string' },
  confidence: { type: 'string' },
  noise: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** What this command uses of the package private-moments-research, which is not a dependency. */
interface Research {
  auditable(): Promise<string[]>;
  openAudit(options: object): Promise<Audit>;
}

interface Audit {
  mechanism: string;
  neighbours: string;
  confidence: number;
  delta: number;
  promised: { epsilon: number; delta: number } | null;
  runs: number;
  looks: readonly { epsilon: number }[];
  passes: boolean;
  run(
    runs: number,
    options: { signal: AbortSignal; onProgress: (progress: { runs: number; of: number }) => void },
  ): Promise<void>;
  law(): { draws: number; p: number; agrees: boolean } | null;
  sensitivity(): { measured: number; calibrated: number; norm: string } | null;
  close(): void;
}

/** The exit status of a broken promise. */
const REFUTED = 3;
const RUNS = 500;

export function auditCommand(version: string): Command {
  return {
    help,
    async run(args) {
      const { values, positionals } = readArguments(args, options, ['[MECHANISM]']);
      const [mechanism] = positionals;
      if (values.list) {
        process.stdout.write(`${(await (await research(version)).auditable()).join('\n')}\n`);
        return 0;
      }
      if (mechanism === undefined) throw new UsageError('MECHANISM is missing; --list prints them');
      const question = {
        mechanism,
        epsilon: requiredNumber('--epsilon', values.epsilon),
        ...present({
          delta: numberOf('--delta', values.delta),
          neighbours: choiceOf('--neighbours', values.neighbours, ['replace-one', 'add-remove']),
          confidence: numberOf('--confidence', values.confidence),
          noise: numberOf('--noise', values.noise),
        }),
      };
      const runs = numberOf('--runs', values.runs) ?? RUNS;
      const audit = await (await research(version)).openAudit(question);
      try {
        await attack(audit, runs);
        process.stdout.write(values.json ? jsonText(dataOf(audit)) : inWords(audit));
        return audit.passes ? 0 : REFUTED;
      } finally {
        audit.close();
      }
    },
  };
}

async function attack(audit: Audit, runs: number): Promise<void> {
  const progress = new ProgressLine();
  try {
    await cancellable((signal) =>
      audit.run(runs, {
        signal,
        onProgress: ({ runs: done, of }) => {
          progress.show(`${count(done)} of ${count(of)} attacks`);
        },
      }),
    );
  } finally {
    progress.clear();
  }
}

/** @throws PrivateMomentsError package-missing */
async function research(version: string): Promise<Research> {
  const name = 'private-moments-research';
  return (await import(name).catch(async (cause: unknown) => {
    throw (await missingPackage('audit', name, version, cause)) ?? cause;
  })) as Research;
}

function dataOf(audit: Audit): object {
  const { mechanism, neighbours, confidence, delta, promised, runs, looks, passes } = audit;
  const bound = looks.at(-1)?.epsilon ?? 0;
  return {
    ...{ mechanism, neighbours, confidence, delta, promised, runs, bound, passes },
    ...{ law: audit.law(), sensitivity: audit.sensitivity() },
  };
}

function inWords(audit: Audit): string {
  const { promised, passes, runs, looks, confidence, delta } = audit;
  const bound = significant(looks.at(-1)?.epsilon ?? 0, 3);
  const law = audit.law();
  const sensitivity = audit.sensitivity();
  const verdict =
    promised === null
      ? 'There is no promise to break.'
      : passes
        ? 'The promise stands so far. An audit cannot prove it.'
        : 'The promise is broken.';
  return paragraphs(
    verdict,
    facts([
      ['mechanism', `${audit.mechanism}, ${audit.neighbours}`],
      ['promise', promised === null ? 'none' : strength(promised)],
      ['attacks', `${count(runs)} on each of two neighbouring data sets`],
      ['proved', `ε is at least ${bound} at δ = ${delta}, with confidence ${confidence}`],
      ...(law === null
        ? []
        : [['law of the noise', law.agrees ? 'agrees' : 'DOES NOT AGREE'] as const]),
      ...(sensitivity === null
        ? []
        : [
            [
              'sensitivity',
              `${significant(sensitivity.measured, 3)} measured, ${significant(sensitivity.calibrated, 3)} calibrated`,
            ] as const,
          ]),
    ]),
  );
}
