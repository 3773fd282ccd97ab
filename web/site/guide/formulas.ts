/**
 * What has an index: a letter that stands alone, with a prime or a hat, a closing bar or bracket, or one of
 * the words before a one-letter index. Other words with an underscore are names of files and options.
 */
const INDEX =
  /(?<=(?:(?<![A-Za-z_])[A-Za-z]|[α-ωΑ-Ω])[\u0300-\u036f]?'?|[|)\]]|\b(?:sigma|lambda|rho))_(?<index>[A-Za-zα-ω0-9]{1,3}(?![A-Za-zα-ω0-9_])|\*|\([^()]{1,9}\))/gu;
const INDEX_OF_WORD = /(?<=[a-z]{2})_(?<index>[ijltsvy]|ij)(?![A-Za-z0-9_])/gu;
const INDEX_IN_BRACES = /(?<=[\p{L}\u0300-\u036f])_\{(?<index>[^{}]+)\}/gu;
const POWER =
  /\^(?:\{(?<braces>[^{}]+)\}|\((?<round>(?:[^()]|\([^()]*\))+)\)|(?<plain>[-−±]?(?:\d+(?:\.\d+)?b?|½|[A-Za-zα-ωΑ-Ω]+\d?'?)))/gu;

type Groups = Record<string, string | undefined>;

/**
 * Text with its powers and indices raised and lowered, which Markdown writes as `2^-144`, `e^{κ u'Cu}`,
 * `A^(-1/2)`, `μ_1` and `|M|_F`. Escaped text stays escaped.
 */
export function typeset(escaped: string): string {
  let text = escaped;
  for (const marks of [INDEX, INDEX_OF_WORD, INDEX_IN_BRACES]) {
    text = text.replaceAll(marks, (...match) => {
      const { index = '' } = match.at(-1) as Groups;
      return `<sub>${minus(index)}</sub>`;
    });
  }
  const raised = (from: string): string =>
    from.replaceAll(POWER, (...match) => {
      const { braces, round, plain } = match.at(-1) as Groups;
      return `<sup>${minus(braces ?? round ?? plain ?? '')}</sup>`;
    });
  // Twice, for powers in powers.
  return raised(raised(text));
}

function minus(text: string): string {
  return text.replaceAll('-', '−');
}
