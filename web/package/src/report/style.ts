import { COLOURS, FONT, MONO } from './palette.js';

/** Text colours on the steps of the diverging scale, for the light and the dark theme. */
const ON_STEP = [
  ['#ffffff', '#101513'],
  ['#16201c', '#101513'],
  ...Array.from({ length: 5 }, () => ['#16201c', '#e8edea']),
  ['#16201c', '#101513'],
  ['#ffffff', '#101513'],
];

function declared(theme: 0 | 1): string {
  return [
    ...Object.entries(COLOURS).map(([role, pair]) => `--${role}:${pair[theme]}`),
    ...ON_STEP.map((pair, i) => `--on-${i + 1}:${pair[theme] ?? ''}`),
  ].join(';');
}

const steps = ON_STEP.map(
  (_, i) => `.c${i + 1}{background:var(--diverging-${i + 1});color:var(--on-${i + 1})}`,
).join('\n');

/** The style sheet of a report: the tokens and measures of the pages, light, dark and on paper. */
export const STYLE = `
:root{color-scheme:light dark;${declared(0)}}
@media screen and (prefers-color-scheme:dark){:root{${declared(1)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:400 16px/26px ${FONT};font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%;overflow-wrap:break-word}
.wrap{max-width:1168px;margin:0 auto;padding:0 24px}
header{border-bottom:1px solid var(--line)}
header .wrap{display:flex;align-items:center;gap:12px;height:64px}
.mark{fill:var(--accent)}
.name{font-weight:600}
.where{margin-left:auto;color:var(--ink-2);font-size:14px}
h1,h2,h3,p,dl,dd,figure{margin:0}
h1{font-size:36px;line-height:42px;font-weight:600;letter-spacing:-.022em;text-wrap:balance}
h2{font-size:22px;line-height:28px;font-weight:600;letter-spacing:-.012em}
h3{font-size:16px;line-height:24px;font-weight:600}
.eyebrow{font-size:14px;line-height:20px;color:var(--ink-3);margin-bottom:6px}
.lead{font-size:18px;line-height:28px;color:var(--ink-2);max-width:40em;margin-top:8px;text-wrap:pretty}
.sub{color:var(--ink-2);max-width:46em;margin:6px 0 20px;text-wrap:pretty}
.help{font-size:14px;line-height:22px;color:var(--ink-2)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.opening{display:flex;gap:44px;align-items:flex-end;justify-content:space-between;padding-top:56px}
.opening>div{min-width:0}
.key{display:flex;gap:32px;flex:none}
.key dt{font-size:13px;line-height:20px;color:var(--ink-3)}
.key dd{font-size:22px;line-height:28px;font-weight:600;letter-spacing:-.012em;white-space:nowrap}
section{margin-top:56px}
section section{margin-top:36px}
.two{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:72px}
.two>*{min-width:0}
.left td{white-space:normal}
.figure-words{grid-template-columns:minmax(0,640px) minmax(0,1fr);gap:80px;align-items:center;margin-bottom:24px}
.even{align-items:start;margin-top:20px}
.top{align-items:start}
.top .left{margin-top:20px}
.top .left tbody th{white-space:normal;width:50%}
h2+.left{margin-top:20px}
.left+.scroll{margin-top:32px}
.few{max-width:640px}
.few .scroll{margin-top:12px}
.words p,.even p{color:var(--ink-2);margin-top:12px;text-wrap:pretty}
.words h3+p,.even p:first-child{margin-top:8px}
svg{display:block;overflow:visible}
figure svg,.bars svg{width:100%}
figure svg svg{width:1px}
.plot{padding:0 16px 0 48px}
svg text{font-size:12px;fill:var(--ink-2)}
svg .tick{fill:var(--ink-3)}
svg .row,svg .value{font-size:14px;font-weight:600;fill:var(--ink)}
svg .note{font-size:13px}
svg .ours{fill:var(--accent)}
svg .strong{font-weight:600}
svg .drowned{fill:var(--ink-3)}
.halo{paint-order:stroke;stroke:var(--bg);stroke-width:4px;stroke-linejoin:round}
.grid{stroke:var(--line)}
.base,.floor{stroke:var(--line-2)}
.hatch{stroke:var(--ink-3);stroke-opacity:.55}
.truth{stroke:var(--ink);stroke-width:2}
.whisker,.caps{stroke:var(--accent);stroke-width:1.5}
.whisker.faint{stroke:var(--ink-3);stroke-dasharray:3 3}
.interval{stroke:var(--ink);stroke-width:1.5}
.ours-line,.stem{stroke:var(--accent)}
.dot,.s1{fill:var(--accent)}
.s2{fill:var(--series-2)}
.none{fill:var(--sunken)}
.hollow{fill:var(--bg);stroke:var(--ink-3);stroke-width:1.5}
.open{fill:var(--bg);stroke:var(--accent);stroke-width:2}
.track{fill:var(--sunken)}
.coin{fill:var(--line-2)}
.guess{margin-top:12px}
.scroll{overflow-x:auto}
.scroll td{white-space:nowrap}
.scroll td:last-child{white-space:normal}
table{width:100%;border-collapse:collapse;font-size:14px;line-height:20px}
th,td{padding:8px 0 8px 16px;text-align:right;font-weight:400;border-bottom:1px solid var(--line)}
thead td{border-color:var(--line-2)}
thead th{color:var(--ink-3);font-size:13px;border-color:var(--line-2);vertical-align:bottom}
th:first-child{text-align:left;padding-left:0}
tbody th{font-weight:500}
strong{font-weight:600}
.faint,.faint strong,.faint th{color:var(--ink-3)}
.left td,.left th{text-align:left;vertical-align:top}
.left code,.id{overflow-wrap:anywhere}
.methods{max-width:46em}
.left tbody th{white-space:nowrap;width:1%;font-weight:400;color:var(--ink-3)}
code,pre{font-family:${MONO};font-size:13px;line-height:22px}
pre{margin:20px 0 0;padding:20px 24px;background:var(--surface);border-radius:8px;overflow-x:auto}
pre u,pre s{text-decoration:none}
pre u{color:var(--ink-3)}
pre s{color:var(--accent)}
sup{line-height:0}
h3+.two{margin-top:16px}
.view h3{margin-bottom:2px}
.view .help{min-height:44px}
.bars{table-layout:fixed;margin-top:4px}
.bars th,.bars td{padding-top:0;padding-bottom:0}
.bars tr>:first-child{width:27%;font-size:14px;line-height:18px}
.bars tbody th{overflow:hidden;text-overflow:ellipsis}
.bars tr>:nth-child(n+3){width:84px}
.bars .draw{padding-left:8px}
.bars td{white-space:nowrap}
.bars .also{color:var(--ink-3)}
.under{display:none}
.range{display:block;color:var(--ink-3);font-size:13px;line-height:16px;padding-bottom:6px}
.ranged tr>:nth-child(3){width:132px}
.ranged tr>:nth-child(4){width:64px}
.wide .bars tr>:nth-child(4){width:150px}
.heat{position:relative}
.heat table{width:auto;font-size:12px;line-height:16px}
.heat th,.heat td{border:0;padding:0}
.heat tbody th{font-size:13px;color:var(--ink-2);font-weight:400;padding-right:12px;text-align:right;white-space:nowrap}
.heat tbody td{width:42px;min-width:42px;border:1px solid var(--bg);border-radius:2px;text-align:center;background-clip:padding-box}
.heat td span{display:block;line-height:36px;white-space:nowrap;padding:0 2px}
.heat td small{display:block;font-size:11px;line-height:14px;white-space:nowrap;padding:0 6px 6px;margin-top:-8px}
.heat thead th{padding-bottom:8px;vertical-align:bottom;color:var(--ink-3);font-size:12px;text-align:center}
.heat.turned thead span{writing-mode:vertical-rl;transform:rotate(180deg);margin:0 auto;display:block;line-height:42px}
.heat .scale{display:grid;width:198px;grid-template-columns:repeat(9,22px);font-size:12px;line-height:20px;color:var(--ink-3);margin-bottom:16px}
.heat .scale b{height:10px}
.heat .scale span{grid-column:span 3}
.heat .scale span:nth-of-type(2){text-align:center}
.heat .scale span:nth-of-type(3){text-align:right}
${steps}
.below{padding-left:16px;border-left:3px solid var(--warn)}
.below ul,.limits{margin:8px 0 0;padding-left:20px;color:var(--ink-2);font-size:15px;line-height:24px}
footer{margin-top:88px;border-top:1px solid var(--line);font-size:13px;line-height:20px;color:var(--ink-3)}
footer .wrap{display:flex;gap:44px;justify-content:space-between;padding-top:24px;padding-bottom:44px}
footer p{max-width:56em}
footer p:last-child{flex:none}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (max-width:1120px){.figure-words{grid-template-columns:minmax(0,1fr);gap:20px}}
@media (max-width:999px){.view .help{min-height:0}.opening{flex-direction:column;align-items:flex-start;gap:20px}.two{grid-template-columns:minmax(0,1fr);gap:32px}}
@media (max-width:759px){
.wrap{padding:0 16px}
.opening{padding-top:32px}
h1{font-size:28px;line-height:34px}
h2{font-size:20px}
.lead{font-size:17px}
section{margin-top:44px}
.key{flex-wrap:wrap;gap:16px 28px}
.plot{padding:0 6px 0 40px}
th,td{padding-left:10px}
.bars .also{display:none}
.bars tr>:first-child{width:34%}
.wide .bars tr>:nth-child(4){width:auto}
.bars tr>:nth-child(3){width:116px}
.range,.bars .under{white-space:normal}
.bars .under{display:block;color:var(--ink-3);font-size:13px;line-height:16px;padding-bottom:6px}
.left tbody th{white-space:normal;width:34%}
footer .wrap{flex-direction:column;gap:12px}
}
@media (forced-colors:active){.heat tbody td{border:1px solid CanvasText}.hollow,.open,.dot{stroke:CanvasText}}
@media print{
body{font-size:13px;line-height:20px}
.wrap{max-width:none;padding:0}
section{margin-top:28px}
tr,figure,.view,.key{break-inside:avoid}
h2,h3{break-after:avoid}
.scroll{overflow:visible}
.heat td small{white-space:normal;font-size:10px;line-height:12px;padding:0 2px 4px}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;
