import { guaranteeOf, type Column, type Study } from 'private-moments';
import { csvText, didYouMean, UsageError, type Command } from 'private-moments/internal';
import {
  bound,
  capitalised,
  guaranteeInWords,
  list,
  namedLevels,
  plural,
} from 'private-moments/words';
import { readArguments } from '../../../command/src/arguments.js';
import { readStudy } from '../../../command/src/input.js';
import { beginStudy } from '../parts/begin-study.js';
import { jsonText } from '../parts/json.js';
import { withOutput } from '../../../command/src/output.js';
import { facts, paragraphs, prose, table } from '../../../command/src/table.js';

const help = `private-moments study: check a study file, begin one, or print its CSV template.

  private-moments study STUDY                  check a study file or link, and print it for people
  private-moments study init DATA --out STUDY  begin a study from the header of a CSV file
  private-moments study template STUDY         a CSV header for participants to fill in

init reads the names in the first line and nothing below it. Bounds, levels, epsilon and delta are yours to
state, from public knowledge: limits that were read from the data would leak them. What you do not state
is asked for with --ask, else null, for you to fill in.

  --link URL           with study: also print a link to this page with the study in it
  --json               with study: for programs
  --title TEXT         with init: the title of the study
  --columns A,B        with init: these columns (all)
  --bounds COLUMN=MIN,MAX
                       with init: limits of a number column; may be repeated
  --levels COLUMN=A,B  with init: levels of a category; may be repeated
  --ask                with init: ask for what is missing
  --epsilon E, --delta D
                       with init: how much a release may reveal
  --preset NAME --sites N [--honest N]
                       with init: a published scheme, cape-pca or cape-cca
  --out FILE           write to a file instead of standard output
  --force              replace FILE if it exists

Example:
  private-moments study study.json`;

const options = {
  link: { type: 'string' },
  json: { type: 'boolean' },
  title: { type: 'string' },
  columns: { type: 'string' },
  bounds: { type: 'string', multiple: true },
  levels: { type: 'string', multiple: true },
  ask: { type: 'boolean' },
  epsilon: { type: 'string' },
  delta: { type: 'string' },
  preset: { type: 'string' },
  sites: { type: 'string' },
  honest: { type: 'string' },
  out: { type: 'string' },
  force: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readArguments<typeof options>>['values'];
type OptionName = keyof typeof options;

/** The actions, each with the options that go with it besides those of the output. */
const actions: Record<
  string,
  {
    own: readonly OptionName[];
    run: (path: string, values: Values, signal: AbortSignal) => Promise<string>;
  }
> = {
  show: { own: ['link', 'json'], run: show },
  init: {
    own: [
      ...(['title', 'columns', 'bounds', 'levels', 'ask', 'epsilon', 'delta'] as const),
      ...(['preset', 'sites', 'honest'] as const),
    ],
    run: beginStudy,
  },
  template: {
    own: [],
    run: async (path, _, signal) =>
      csvText(
        (await readStudy(path, signal)).columns.map(({ name }) => name),
        [],
      ),
  },
};

export const studyCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, ['STUDY', '[FILE]']);
    const { name, path } = actionOf(positionals);
    const action = actions[name];
    if (action === undefined) throw new UsageError(`study has no action ${name}`);
    for (const option of Object.keys(values) as OptionName[]) {
      if (!['out', 'force', ...action.own].includes(option)) {
        throw new UsageError(
          `--${option} does not go with study ${name === 'show' ? 'STUDY' : name}`,
        );
      }
    }
    await withOutput(values, async (output, signal) => {
      await output.write(await action.run(path, values, signal));
    });
  },
};

function actionOf([first = '', second]: readonly string[]): { name: string; path: string } {
  if (first === 'init' || first === 'template') {
    if (second === undefined)
      throw new UsageError(first === 'init' ? 'DATA is missing' : 'STUDY is missing');
    return { name: first, path: second };
  }
  if (second === undefined) return { name: 'show', path: first };
  const near = didYouMean(first, ['init', 'template']);
  throw new UsageError(
    near === ''
      ? 'there are too many arguments: it takes one STUDY'
      : `study has no action ${first}${near}`,
  );
}

async function show(path: string, { link, json }: Values, signal: AbortSignal): Promise<string> {
  const study = await readStudy(path, signal);
  const guarantee = await guaranteeOf(study);
  const url = link === undefined ? undefined : study.toLink(link);
  if (json) return jsonText({ id: study.id, study: study.toJSON(), guarantee, link: url });
  const { description = '', organizer, contact, views = {} } = study;
  return paragraphs(
    prose(study.title),
    prose(description),
    table(['column', 'values', 'unit', 'label'], study.columns.map(columnInWords)),
    facts([
      ...Object.entries(views).map(([name, columns]) => [`view ${name}`, list(columns)] as const),
      ['mechanism', `${study.mechanism.name}, clipping ${study.clipping}`],
      ['rows with a gap', MISSING[study.missing]],
      ['sites', sitesInWords(study)],
      ...(organizer === undefined ? [] : [['organizer', organizer] as const]),
      ...(contact === undefined ? [] : [['contact', contact] as const]),
      ['id', study.id],
    ]),
    prose(capitalised(guaranteeInWords(guarantee).join(' '))),
    url ?? '',
  );
}

const MISSING = {
  centre: 'count as average',
  drop: 'are left out',
  error: 'stop the release',
  pairwise: 'count with the cells that they have',
  mean: 'count with a noisy mean in place of what is missing',
} as const;

function sitesInWords({ federation }: Study): string {
  const { mode, sites } = federation;
  const how =
    mode === 'independent' ? 'each with all of its noise' : `summed behind masks (${mode})`;
  return sites === undefined ? how : `${plural(sites, 'site')}, ${how}`;
}

function columnInWords(column: Column): string[] {
  const { name, unit = '', label = '' } = column;
  const values =
    column.type === 'number'
      ? `${bound(column.min)} to ${bound(column.max)}`
      : namedLevels(column).join(', ');
  return [name, values, unit, label];
}
