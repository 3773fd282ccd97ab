import { css, svg, type TemplateResult } from 'lit';

/** The grey hatching of noise floors. Ids are local to a shadow root, so all figures share one. */
export const hatch: TemplateResult = svg`<defs>
  <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <line class="hatch-line" x1="0" y1="0" x2="0" y2="6"></line>
  </pattern>
</defs>`;

export const figureStyles = css`
  .hatch-line {
    stroke: var(--_line-2);
    stroke-width: 1;
    opacity: 0.55;
  }

  .floor {
    fill: url('#hatch');
  }

  .floor-edge {
    stroke: var(--_line-2);
  }

  .grid {
    stroke: var(--_line);
  }

  .baseline {
    stroke: var(--_line-2);
  }

  .stem {
    stroke: var(--_accent);
  }

  .dot {
    fill: var(--_accent);
  }

  .whisker {
    stroke: var(--_accent);
    stroke-width: 1.5;
  }

  .whisker.faint {
    stroke: var(--_ink-3);
    stroke-dasharray: 3 3;
  }

  .whisker.on-page {
    stroke: var(--_ink);
  }

  .whisker.on-bar {
    stroke: var(--_bg);
  }

  .bar {
    fill: var(--_accent);
  }

  .bar.pale {
    fill-opacity: 0.38;
  }

  tspan.value {
    fill: var(--_ink);
    font-size: 14px;
    font-weight: 600;
  }

  .interval {
    stroke: var(--_ink);
    stroke-width: 1.5;
  }

  .dot.hollow {
    fill: var(--_bg);
    stroke: var(--_ink-3);
    stroke-width: 1.5;
  }

  .dot.open {
    fill: var(--_bg);
    stroke: var(--_accent);
    stroke-width: 2;
  }

  text.strong {
    fill: var(--_ink);
    font-size: 14px;
    font-weight: 600;
  }

  text.halo {
    paint-order: stroke;
    stroke: var(--_bg);
    stroke-width: 4px;
    stroke-linejoin: round;
  }

  @media print {
    :host {
      break-inside: avoid;
    }

    /* Paper is narrower than the window the figure was drawn for. */
    svg[viewBox] {
      max-width: 100%;
      height: auto;
    }
  }

  @media (forced-colors: active) {
    .floor {
      fill: none;
      stroke: CanvasText;
    }
  }
`;
