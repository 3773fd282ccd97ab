import { html, nothing, type TemplateResult } from 'lit';

/** What of a section is explained where: pages of the guide with their headings. */
export const GUIDE_LINKS = {
  correlations: [
    ['canonical correlations', 'analysis.html#cca'],
    ['their intervals', 'analysis.html#intervals-of-correlations-and-variances'],
    ['noise floors', 'explanation/noise-floors.html'],
  ],
  pairs: [
    ['weights and structure correlations', 'analysis.html#cca'],
    ['intervals of weights', 'analysis.html#intervals-of-weights'],
  ],
  shared: [
    ['components that views share', 'analysis.html#gcca'],
    ['intervals of weights', 'analysis.html#intervals-of-weights'],
  ],
  components: [
    ['principal components', 'analysis.html#pca'],
    ['intervals of variances', 'analysis.html#intervals-of-correlations-and-variances'],
    ['the noise floor of a variance', 'analysis.html#edge'],
  ],
  rows: [
    ['scores of rows', 'api/analysing.html#scores-and-predictions'],
    ['synthetic rows', 'synthetic.html#how-they-are-drawn'],
  ],
  methods: [
    ['sparse weights', 'analysis.html#sparse-weights'],
    ['partial least squares', 'analysis.html#partial-least-squares'],
    ['discriminants', 'analysis.html#discriminants'],
    ['factors', 'analysis.html#factors'],
  ],
  regression: [['regression, its intervals and its floors', 'analysis.html#regression']],
  synthetic: [
    ['how rows are drawn', 'synthetic.html#how-they-are-drawn'],
    ['what they preserve', 'synthetic.html#what-they-preserve-and-what-not'],
  ],
  directions: [['directions of several releases', 'api/analysing.html#directions']],
} as const satisfies Record<string, readonly (readonly [string, string])[]>;

/** The link to the page of a mechanism. */
export function mechanismLink(name: string): readonly [string, string] {
  return [`the mechanism ${name}`, `mechanisms/${name}.html`];
}

/**
 * The line with links to the guide below a section, which open in another tab so that the result stays.
 * `guide` is the address of the guide's folder; nothing without it. `more` are links that depend on the result.
 */
export function howComputed(
  guide: string,
  section: keyof typeof GUIDE_LINKS,
  more: readonly (readonly [string, string])[] = [],
): TemplateResult | typeof nothing {
  if (guide === '') return nothing;
  const links = [...GUIDE_LINKS[section], ...more].map(
    ([words, address], i) =>
      html`${i === 0 ? '' : ', '}<a href="${guide}${address}" target="_blank" rel="noopener"
          >${words}</a
        >`,
  );
  return html`<p class="help how on-screen">How this is computed: ${links}.</p>`;
}
