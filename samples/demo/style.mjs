// Style sheet of the report: the tokens and measures of the project's pages, light and dark.

const LIGHT = {
  bg: '#ffffff',
  surface: '#f6f7f5',
  sunken: '#eceeeb',
  line: '#dde1dc',
  'line-2': '#7f8983',
  ink: '#16201c',
  'ink-2': '#48544f',
  'ink-3': '#65706b',
  accent: '#0b6b5d',
  'series-2': '#2a62a8',
};

const DARK = {
  bg: '#101513',
  surface: '#171d1a',
  sunken: '#202724',
  line: '#2e3733',
  'line-2': '#73807a',
  ink: '#e8edea',
  'ink-2': '#b5bfba',
  'ink-3': '#949f99',
  accent: '#5fcab6',
  'series-2': '#83b4f0',
};

/** Cells of the heat map from -1 to 1: background in light and dark, and text on each. */
const CELLS = [
  ['#754505', '#e3ad57', '#ffffff', '#101513'],
  ['#c08f3f', '#b07c2b', '#16201c', '#101513'],
  ['#dcbb83', '#765424', '#16201c', '#e8edea'],
  ['#ecdfc5', '#40341f', '#16201c', '#e8edea'],
  ['#f4f4f1', '#232a27', '#16201c', '#e8edea'],
  ['#cfe5e0', '#1d3a34', '#16201c', '#e8edea'],
  ['#94c9bf', '#23604f', '#16201c', '#e8edea'],
  ['#4fa695', '#2f9581', '#16201c', '#101513'],
  ['#08594d', '#63cdb9', '#ffffff', '#101513'],
];

const declare = (tokens, theme) =>
  [
    ...Object.entries(tokens).map(([role, value]) => `--${role}:${value}`),
    ...CELLS.map((cell, i) => `--c${i + 1}:${cell[theme]};--t${i + 1}:${cell[theme + 2]}`),
  ].join(';');

const cells = CELLS.map((_, i) => `.c${i + 1}{background:var(--c${i + 1});color:var(--t${i + 1})}`);

export const STYLE = `
:root{color-scheme:light dark;${declare(LIGHT, 0)}}
@media (prefers-color-scheme:dark){:root{${declare(DARK, 1)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:400 16px/26px -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif;font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%}
.wrap{max-width:1168px;margin:0 auto;padding:0 24px}
header{border-bottom:1px solid var(--line)}
header .wrap{display:flex;align-items:center;gap:12px;height:64px}
.mark{fill:var(--accent)}
.name{font-weight:600}
.where{margin-left:auto;color:var(--ink-2);font-size:14px}
h1,h2,h3,p,dl,dd,figure{margin:0}
h1{font-size:36px;line-height:42px;font-weight:600;letter-spacing:-.022em}
h2{font-size:22px;line-height:28px;font-weight:600;letter-spacing:-.012em}
h3{font-size:16px;line-height:24px;font-weight:600}
.eyebrow{font-size:14px;line-height:20px;color:var(--ink-3);margin-bottom:6px}
.lead{font-size:18px;line-height:28px;color:var(--ink-2);max-width:40em;margin-top:8px}
.sub{color:var(--ink-2);max-width:46em;margin:6px 0 24px}
.help{font-size:14px;line-height:22px;color:var(--ink-2)}
.narrow{display:none}
.opening{display:flex;gap:44px;align-items:flex-end;justify-content:space-between;padding-top:56px}
.key{display:flex;gap:32px;flex:none}
.key dt{font-size:13px;line-height:20px;color:var(--ink-3)}
.key dd{font-size:22px;line-height:28px;font-weight:600;letter-spacing:-.012em;white-space:nowrap}
section{margin-top:56px}
.two{display:grid;grid-template-columns:1fr 1fr;gap:72px}
.two>*{min-width:0}
.figure-words{grid-template-columns:640px 1fr;gap:80px;align-items:center;margin-bottom:28px}
.map-words{grid-template-columns:minmax(0,600px) 1fr}
.figure-words p,.map-words p,.even p{color:var(--ink-2);margin-top:12px}
.even{margin-top:20px}
.even p:first-child{margin-top:0}
svg{display:block;overflow:visible}
figure svg,.bars svg{width:100%}
.plot{padding:0 16px 0 48px}
svg text{font-size:12px;fill:var(--ink-2)}
svg .tick{fill:var(--ink-3)}
svg .row{font-size:14px;font-weight:600;fill:var(--ink)}
svg .value{font-size:14px;font-weight:600;fill:var(--ink)}
svg .note{font-size:13px}
svg .ours{fill:var(--accent)}
svg .strong{font-weight:600}
svg .drowned{fill:var(--ink-3)}
.halo{paint-order:stroke;stroke:var(--bg);stroke-width:4px;stroke-linejoin:round}
.grid{stroke:var(--line)}
.base,.floor{stroke:var(--line-2)}
.hatch{stroke:var(--ink-3);stroke-opacity:.55}
.truth{stroke:var(--ink);stroke-width:2}
.ours-line{stroke:var(--accent)}
.dot,.s1{fill:var(--accent)}
.s2{fill:var(--series-2)}
.hollow{fill:var(--bg);stroke:var(--ink-3);stroke-width:1.5}
.track{fill:var(--sunken)}
.coin{fill:var(--line-2)}
.guess{margin-top:12px}
table{width:100%;border-collapse:collapse;font-size:14px;line-height:20px}
th,td{padding:8px 0 8px 16px;text-align:right;font-weight:400;border-bottom:1px solid var(--line)}
thead td{border-color:var(--line-2)}
thead th{color:var(--ink-3);font-size:13px;border-color:var(--line-2);vertical-align:bottom}
th:first-child{text-align:left;padding-left:0}
tbody th{font-weight:500}
strong{font-weight:600}
.faint,.faint strong,.faint th{color:var(--ink-3)}
tfoot th,tfoot td{border-bottom:0;color:var(--ink-2)}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13px;line-height:22px}
pre{margin:20px 0 12px;padding:20px 24px;background:var(--surface);border-radius:8px;overflow-x:auto}
pre u,pre em{text-decoration:none;font-style:normal;color:var(--ink-3)}
pre s{text-decoration:none;color:var(--accent)}
sup{line-height:0}
.bars h3{margin-bottom:2px}
.bars .help{min-height:44px}
.bars table{table-layout:fixed;margin-top:4px}
.bars th,.bars td{padding-top:0;padding-bottom:0}
.bars tr>:first-child{width:132px}
.bars tr>:nth-child(3){width:72px}
.bars tr>:nth-child(4){width:64px}
.bars .also{color:var(--ink-3)}
.heat{position:relative}
.heat table{width:auto;table-layout:fixed;font-size:12px;line-height:16px}
.heat th,.heat td{border:0;padding:0}
.heat tbody th{font-size:13px;font-weight:400;color:var(--ink-2);padding-right:12px;text-align:right;white-space:nowrap}
.heat em,.heat i{font-style:normal}
.heat em{color:var(--ink-3)}
.heat td span{display:block;line-height:40px;white-space:nowrap}
.heat tbody td{width:42px;border:1px solid var(--bg);border-radius:2px;text-align:center;background-clip:padding-box}
.heat tfoot th{padding-top:8px;vertical-align:top;color:var(--ink-3);font-size:12px}
.heat tfoot span{writing-mode:vertical-rl;margin:0 auto;display:block;line-height:42px}
.heat .scale{position:absolute;right:24px;top:8px;display:grid;grid-template-columns:repeat(9,18px);font-size:12px;line-height:20px;color:var(--ink-3)}
.heat .scale b{height:10px}
.heat .scale span{grid-column:span 3}
.heat .scale span:nth-of-type(2){text-align:center}
.heat .scale span:nth-of-type(3){text-align:right}
${cells.join('\n')}
details{border-bottom:1px solid var(--line)}
details:first-child{border-top:1px solid var(--line)}
summary{min-height:44px;padding:9px 0;color:var(--accent);cursor:pointer;font-size:14px;font-weight:500}
summary:focus-visible,pre:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
details div{padding:0 0 16px;font-size:14px;line-height:22px;color:var(--ink-2)}
details ul{margin:0;padding-left:20px}
footer{margin-top:88px;border-top:1px solid var(--line);font-size:13px;line-height:20px;color:var(--ink-3)}
footer .wrap{display:flex;gap:44px;justify-content:space-between;padding-top:24px;padding-bottom:44px}
footer p{max-width:56em}
footer p:last-child{flex:none}
@media (max-width:1120px){.figure-words{grid-template-columns:1fr;gap:20px}.map-words{gap:44px}}
@media (max-width:999px){.bars .help{min-height:0}.opening{flex-direction:column;align-items:flex-start;gap:20px}.two{grid-template-columns:1fr;gap:32px}}
@media (max-width:759px){
.wrap{padding:0 16px}
.opening{padding-top:32px}
h1{font-size:28px;line-height:34px}
h2{font-size:20px}
.lead{font-size:17px}
section{margin-top:44px}
.key{flex-wrap:wrap;gap:16px 28px}
.plot{padding:0 6px 0 36px}
.wide{display:none}
.narrow{display:inline}
th,td{padding-left:10px}
.bars .also{display:none}
.bars tr>:first-child{width:100px}
.bars tr>:nth-child(4){width:60px}
.heat em,.heat i{display:none}
.heat table{width:100%}
.heat tbody th{font-size:12px;padding-right:6px;width:76px}
.heat tbody td{width:auto}
.heat td span{line-height:26px;letter-spacing:-.03em}
.heat tfoot span{line-height:24px}
.heat .scale{right:0;top:0;grid-template-columns:repeat(9,12px)}
footer .wrap{flex-direction:column;gap:12px}
}
@media (forced-colors:active){.heat tbody td{border:1px solid CanvasText}.hollow,.dot{stroke:CanvasText}}
@media print{details div{display:block}}
`;
