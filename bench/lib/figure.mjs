const INK = '#16201c';
const SOFT = '#65706b';
const LINE = '#dde1dc';
const SERIES = ['#0b6b5d', '#2a62a8', '#97620f', '#ad2318'];
const FONT = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';

const WIDTH = 300;
const HEIGHT = 240;
const MARGIN = { left: 56, right: 16, top: 34, bottom: 44 };

const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

const round = (value) => Number(value.toFixed(1));

/** The smallest range of powers of ten that contains all values. */
export function decades(values) {
  const from = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** 3 as 10³. */
const power = (exponent) =>
  `10${String(exponent).replace(/./g, (c) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(c)])}`;

const text = (x, y, content, options = '') =>
  `<text x="${round(x)}" y="${round(y)}" ${options}>${escape(content)}</text>`;

function panel({ title, x: xLabel, y: yLabel, series }, at) {
  const points = series.flatMap((one) => one.points);
  const xs = decades(points.map((point) => point.x));
  const ys = decades(points.map((point) => point.y));
  const right = WIDTH - MARGIN.right;
  const bottom = HEIGHT - MARGIN.bottom;
  const place = (value, range, from, to) =>
    from + ((Math.log10(value) - range[0]) / (range.at(-1) - range[0])) * (to - from);
  const px = (value) => round(place(value, xs, MARGIN.left, right));
  const py = (value) => round(place(value, ys, bottom, MARGIN.top));
  const parts = [text(MARGIN.left, 18, title, `font-weight="600" fill="${INK}"`)];
  for (const exponent of ys) {
    const y = py(10 ** exponent);
    parts.push(`<path d="M${MARGIN.left} ${y}H${right}" stroke="${LINE}"/>`);
    parts.push(text(MARGIN.left - 6, y + 4, power(exponent), `text-anchor="end" fill="${SOFT}"`));
  }
  for (const exponent of xs) {
    const x = px(10 ** exponent);
    parts.push(`<path d="M${x} ${bottom}v4" stroke="${SOFT}"/>`);
    parts.push(text(x, bottom + 17, power(exponent), `text-anchor="middle" fill="${SOFT}"`));
  }
  const middle = (MARGIN.left + right) / 2;
  parts.push(text(middle, HEIGHT - 8, xLabel, `text-anchor="middle" fill="${SOFT}"`));
  const half = (MARGIN.top + bottom) / 2;
  parts.push(
    text(
      12,
      half,
      yLabel,
      `text-anchor="middle" fill="${SOFT}" transform="rotate(-90 12 ${half})"`,
    ),
  );
  series.forEach(({ name, points: own, fit }, i) => {
    const colour = SERIES[i % SERIES.length];
    for (const { x, y } of own) {
      parts.push(`<circle cx="${px(x)}" cy="${py(y)}" r="3" fill="${colour}"/>`);
    }
    if (fit) {
      const ends = [fit.from, fit.to].map((x) => [px(x), py(fit.factor * x ** fit.exponent)]);
      parts.push(`<path d="M${ends[0]}L${ends[1]}" stroke="${colour}" stroke-width="1.5"/>`);
    }
    const exponent = fit ? `, exponent ${fit.exponent.toFixed(2)}` : '';
    parts.push(
      text(MARGIN.left + 8, MARGIN.top + 12 + 15 * i, `${name}${exponent}`, `fill="${colour}"`),
    );
  });
  return `<g transform="translate(${at} 0)">${parts.join('')}</g>`;
}

/**
 * Panels side by side with logarithmic axes, as SVG in light colours.
 * @param {{ title: string, x: string, y: string, series: { name: string,
 *   points: { x: number, y: number }[],
 *   fit?: { factor: number, exponent: number, from: number, to: number } }[] }[]} panels all
 *   coordinates positive; `fit` is drawn from `from` to `to`
 */
export function logFigure(panels) {
  const width = WIDTH * panels.length;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" ` +
    `height="${HEIGHT}" font-family='${FONT}' font-size="11" fill="none">` +
    `<rect width="${width}" height="${HEIGHT}" fill="#ffffff"/>` +
    panels.map((one, i) => panel(one, i * WIDTH)).join('') +
    '</svg>\n'
  );
}
