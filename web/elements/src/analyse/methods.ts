import type { Moments } from 'private-moments';
import { css, html, nothing, type TemplateResult } from 'lit';
import {
  bound,
  capitalised,
  columnName,
  loadingWeights,
  ordinal,
  readingOf,
  significant,
  type Reading,
} from 'private-moments/words';
import type { MethodChoice, MethodResult, MomentsResult } from '../contract/elements.js';
import { textOf } from '../controls/input-values.js';
import { notice } from '../controls/notice.js';
import { longestOf } from '../figures/figure-data.js';
import { columnNames, figureLabels, labelled } from '../session/figure-labels.js';
import { LEVEL, sizes } from './analysis-result.js';
import { intervalsInWords } from './result-words.js';

type Name = MethodChoice['name'];

const LABELS: Record<Name, string> = {
  sparsePca: 'Sparse components',
  sparseCca: 'Sparse pairs of the two views',
  plsCorrelation: 'Partial least squares of the two views',
  plsRegression: 'Regression by partial least squares',
  lda: 'Discriminants of a category',
  factorAnalysis: 'Factor analysis',
};

const MOST_FACTORS = 5;
/** Each takes a convex programme. */
const SPARSE_PAIRS = 2;
const COMPONENTS = 3;

/** Computes the result of another method in a worker. */
export async function analyseBy(
  { moments, views }: MomentsResult,
  { name, target = '', factors = 1 }: MethodChoice,
): Promise<MethodResult> {
  const worker = moments.inWorker();
  const most = views === undefined ? 0 : Math.min(...sizes(moments, views));
  const two = { ...(views && { x: views[0], y: views[1] }) };
  switch (name) {
    case 'sparsePca':
      return worker.sparsePca();
    case 'sparseCca':
      return worker.sparseCca({ ...two, components: Math.min(most, SPARSE_PAIRS) });
    case 'plsCorrelation':
      return worker.plsCorrelation({ ...two, components: Math.min(most, COMPONENTS) });
    case 'plsRegression':
      return worker.plsRegression({
        target,
        components: Math.min(COMPONENTS, predictorsOf(moments, target)),
      });
    case 'lda':
      return worker.lda({ target, level: LEVEL });
    case 'factorAnalysis':
      return worker.factorAnalysis({ factors, level: LEVEL });
  }
}

/** Whether a choice says all that its method needs. */
export function isComplete({ name, target }: MethodChoice): boolean {
  return target !== undefined || (name !== 'lda' && name !== 'plsRegression');
}

function predictorsOf({ columns, sources }: Moments, target: string): number {
  const own = sources[columns.indexOf(target)] ?? target;
  return columns.filter((_, i) => sources[i] !== own).length;
}

/** How many factors the correlations of p columns can tell. */
function mostFactors(columns: number): number {
  let factors = 0;
  const isTold = (k: number): boolean => (columns - k) ** 2 >= columns + k;
  while (factors < MOST_FACTORS && factors + 1 < columns && isTold(factors + 1)) factors += 1;
  return factors;
}

function methodsOf({ moments, views }: MomentsResult): Name[] {
  const { columns } = moments.study;
  const numbers = columns.filter(({ type }) => type === 'number').length;
  const hasTwo = views !== undefined;
  return [
    ...(columns.length > 1 ? (['sparsePca'] as const) : []),
    ...(hasTwo ? (['sparseCca', 'plsCorrelation'] as const) : []),
    ...(columns.length > 1 ? (['plsRegression'] as const) : []),
    ...(columns.length > 1 && numbers < columns.length ? (['lda'] as const) : []),
    ...(mostFactors(numbers) > 0 ? (['factorAnalysis'] as const) : []),
  ];
}

/** The section on other methods; it shows a result once one is chosen. */
export function methodSection(
  result: MomentsResult,
  choice: MethodChoice | undefined,
  { found, problem }: { found: MethodResult | undefined; problem: string },
  choose: (choice: MethodChoice | undefined) => void,
): TemplateResult | typeof nothing {
  const names = methodsOf(result);
  if (names.length === 0) return nothing;
  return html`<section
    class=${found === undefined ? 'on-screen' : ''}
    aria-labelledby="other-methods"
  >
    <h2 id="other-methods">Other methods</h2>
    <p class="prose">From the same releases. Nothing new leaves any participant.</p>
    <div class="view-choice">
      <span class="labelled"
        ><label for="method">Method</label>
        <select
          id="method"
          @change=${(event: Event) => {
            const name = names.find((each) => each === textOf(event));
            choose(name && { name });
          }}
        >
          <option value="" .selected=${choice === undefined}>Choose a method</option>
          ${names.map(
            (name) =>
              html`<option value=${name} .selected=${name === choice?.name}>
                ${LABELS[name]}
              </option>`,
          )}
        </select></span
      >
      ${choice === undefined ? nothing : detail(result, choice, choose)}
    </div>
    ${problem === '' ? nothing : html`<div class="fault">${notice({ kind: 'bad', title: 'This cannot be computed.', body: problem })}</div>`}
    ${choice === undefined || found === undefined ? nothing : shown(result, choice, found, choose)}
  </section>`;
}

/** What a method asks for besides: a target, or a number of factors. */
function detail(
  { moments }: MomentsResult,
  choice: MethodChoice,
  choose: (choice: MethodChoice) => void,
): TemplateResult | typeof nothing {
  const { study, columns } = moments;
  if (choice.name === 'factorAnalysis') {
    const numbers = study.columns.filter(({ type }) => type === 'number').length;
    const counts = Array.from({ length: mostFactors(numbers) }, (_, i) => String(i + 1));
    return options('factors', 'Factors', counts, String(choice.factors ?? 1), (count) => {
      choose({ name: choice.name, factors: Number(count) });
    });
  }
  if (choice.name !== 'lda' && choice.name !== 'plsRegression') return nothing;
  const labels = choice.name === 'lda' ? columnNames(study) : figureLabels(study);
  const targets =
    choice.name === 'lda'
      ? study.columns.flatMap(({ name, type }) => (type === 'category' ? [name] : []))
      : columns;
  return options(
    'method-target',
    'Target',
    ['', ...targets],
    choice.target ?? '',
    (target) => {
      choose({ name: choice.name, ...(target !== '' && { target }) });
    },
    (target) => (target === '' ? 'Choose a column' : (labels.get(target) ?? target)),
  );
}

function options(
  id: string,
  label: string,
  values: readonly string[],
  chosen: string,
  choose: (value: string) => void,
  written = (value: string): string => value,
): TemplateResult {
  return html`<span class="labelled"
    ><label for=${id}>${label}</label>
    <select
      id=${id}
      @change=${(event: Event) => {
        choose(values[(event.target as HTMLSelectElement).selectedIndex] ?? '');
      }}
    >
      ${values.map(
        (value) => html`<option .selected=${value === chosen}>${written(value)}</option>`,
      )}
    </select></span
  >`;
}

function shown(
  { moments }: MomentsResult,
  choice: MethodChoice,
  found: MethodResult,
  choose: (choice: MethodChoice) => void,
): TemplateResult {
  const reading = readingOf(found);
  const { figures, finding, loading, parts, sub, title, what } = reading;
  const wanted = choice.component ?? 0;
  const component = wanted < figures.length ? wanted : 0;
  const { level } = found.options as { level?: number };
  const isBelow = figures[component]?.belowNoiseFloor === true;
  const place = `${ordinal(component)} ${what}`;
  const names = figures.map(
    ({ belowNoiseFloor }, k) => `${ordinal(k)}${belowNoiseFloor ? ', below the floor' : ''}`,
  );
  const bars = parts.map((part) => ({
    name: part.name,
    weights: labelled(loadingWeights(part, component), figureLabels(moments.study)),
  }));
  const caption = `${capitalised(loading)}, ${place}.`;
  return html`<pm-figure
      .result=${found}
      heading="${title}, ${place}"
      caption=${[caption, ...intervalsInWords(level)].join(' ')}
      ?empty=${isBelow}
    >
      <p class="prose" slot="head" role="status">${finding} ${sub}</p>
      ${
        names.length === 1
          ? nothing
          : html`<div class="view-choice">
              ${options(
                'method-component',
                capitalised(what),
                names,
                names[component] ?? '',
                (name) => {
                  choose({ ...choice, component: names.indexOf(name) });
                },
              )}
            </div>`
      }
      ${facts(reading, component)}
      ${
        isBelow
          ? html`<p class="prose">
              This ${what} is below the noise floor: do not interpret it. Its loadings are not
              drawn.
            </p>`
          : html`<p class="help">
                ${caption}${level === undefined ? nothing : html` Thin lines: ${bound(level * 100)}% intervals.`}
              </p>
              <div class="method-parts">
                ${bars.map(
                  ({ name, weights }) =>
                    html`<div>
                      ${name === '' ? nothing : html`<h3>${capitalised(name)}</h3>`}
                      <pm-weight-bars
                        .weights=${weights}
                        limit="1"
                        .longest=${longestOf(bars.flatMap((each) => each.weights))}
                        kind="correlations"
                      ></pm-weight-bars>
                    </div>`,
                )}
              </div>`
      }
    </pm-figure>
    ${isBelow ? nothing : levels(found, component)}`;
}

/** The numbers of a component. */
function facts({ heads, cells }: Reading, component: number): TemplateResult {
  return html`<dl class="facts">
    ${heads.map(
      (head, i) =>
        html`<div>
          <dt>${head}</dt>
          <dd>${cells[component]?.[i]}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The mean score of each level of a category along a discriminant. */
function levels(found: MethodResult, component: number): TemplateResult | typeof nothing {
  if (found.analysis !== 'lda') return nothing;
  const { centroids, classes, options: asked, origin } = found;
  const name = columnName(origin.study, asked.target);
  return html`<h3 class="steps">Mean score of each level of ${name}</h3>
    <p class="help">In standard deviations within levels.</p>
    <dl class="facts">
      ${classes.map(
        ({ level, belowNoiseFloor }, c) =>
          html`<div>
            <dt>${level}</dt>
            <dd>
              ${
                belowNoiseFloor
                  ? 'lost in the noise'
                  : significant(centroids.values[c * centroids.columns.length + component] ?? 0)
              }
            </dd>
          </div>`,
      )}
    </dl>`;
}

export const methodStyles = css`
  .method-parts {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 24px;
    max-width: 720px;
    margin-top: 12px;
  }

  :is(pm-figure, section) > .facts {
    max-width: 720px;
    margin-bottom: 16px;
  }

  .view-choice + pm-figure {
    display: block;
    margin-top: 16px;
  }
`;
