import { css, svg, type CSSResult, type CSSResultGroup, type TemplateResult } from 'lit';
import { bound, divergingStep } from 'private-moments/words';

const STEPS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export const LEGEND_WIDTH = 198;

/** The fills of the diverging scale. */
export const divergingSteps: CSSResult = css`
  .step-1 {
    fill: var(--_diverging-1);
  }
  .step-2 {
    fill: var(--_diverging-2);
  }
  .step-3 {
    fill: var(--_diverging-3);
  }
  .step-4 {
    fill: var(--_diverging-4);
  }
  .step-5 {
    fill: var(--_diverging-5);
  }
  .step-6 {
    fill: var(--_diverging-6);
  }
  .step-7 {
    fill: var(--_diverging-7);
  }
  .step-8 {
    fill: var(--_diverging-8);
  }
  .step-9 {
    fill: var(--_diverging-9);
  }
`;

/** The diverging scale: fills for cells, and for text on them. */
export const divergingStyles: CSSResultGroup = [
  divergingSteps,
  css`
    text.on-1,
    text.on-9 {
      fill: var(--_bg);
    }

    text.on-2,
    text.on-8 {
      fill: light-dark(var(--_ink), #101513);
    }

    text.on-3,
    text.on-4,
    text.on-5,
    text.on-6,
    text.on-7 {
      fill: var(--_ink);
    }

    text.row {
      fill: var(--_ink-2);
      font-size: 13px;
    }

    canvas {
      display: block;
      width: 100%;
      max-width: 560px;
      image-rendering: pixelated;
    }

    @media (forced-colors: active) {
      rect {
        forced-color-adjust: none;
      }
    }
  `,
];

/** The scale from -limit to limit with its title; `beyond` if values lie past its end. */
export function divergingLegend(
  title: string,
  limit: number,
  { x, y, beyond = false }: { x: number; y: number; beyond?: boolean },
): TemplateResult {
  const step = LEGEND_WIDTH / STEPS.length;
  return svg`<g transform="translate(${x} ${y})">
    <text x="0" y="11">${title}</text>
    ${STEPS.map((k, i) => svg`<rect class="step-${k}" x=${i * step} y="20" width=${step} height="10"></rect>`)}
    <text x="0" y="46">${bound(-limit)}</text>
    <text x=${LEGEND_WIDTH / 2} y="46" text-anchor="middle">0</text>
    <text x=${LEGEND_WIDTH} y="46" text-anchor="end">${beyond ? '≥ ' : ''}${bound(limit)}</text>
  </g>`;
}

/**
 * Paints one pixel per entry into the canvas of `root`. Takes the colours of the steps from the legend in
 * `root`, so that they follow the theme. Undefined entries stay empty.
 */
export function paint(
  root: ParentNode,
  rows: number,
  columns: number,
  limit: number,
  entry: (row: number, column: number) => number | undefined,
): void {
  const canvas = root.querySelector('canvas');
  const context = canvas?.getContext('2d');
  if (!canvas || !context) return;
  canvas.width = columns;
  canvas.height = rows;
  const image = context.createImageData(columns, rows);
  const colours = STEPS.map((step) => colour(root, step));
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const value = entry(r, c);
      if (value === undefined) continue;
      image.data.set(colours[divergingStep(value, limit) - 1] ?? [], (r * columns + c) * 4);
    }
  }
  context.putImageData(image, 0, 0);
}

/** One element for each step, which nobody sees: for the `defs` of a drawing without a legend. */
export const stepSamples: TemplateResult = svg`${STEPS.map((step) => svg`<rect class="step-${step}"></rect>`)}`;

/** The fills of the steps in the theme now in force, taken from the legend or the samples in `root`. */
export function stepColours(root: ParentNode): string[] {
  return STEPS.map((step) => fillOf(root, step));
}

function fillOf(root: ParentNode, step: number): string {
  const sample = root.querySelector(`.step-${step}`);
  return sample ? getComputedStyle(sample).fill : '';
}

/** Red, green, blue, opacity of one step. */
function colour(root: ParentNode, step: number): number[] {
  const channels = fillOf(root, step).match(/\d+/g) ?? [];
  return [...channels.slice(0, 3).map(Number), 255];
}
