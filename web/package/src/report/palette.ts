/** Colours by role, for the light and the dark theme. The pages use the same. */
export const COLOURS: Record<string, readonly [light: string, dark: string]> = {
  bg: ['#ffffff', '#101513'],
  surface: ['#f6f7f5', '#171d1a'],
  sunken: ['#eceeeb', '#202724'],
  line: ['#dde1dc', '#2e3733'],
  'line-2': ['#7f8983', '#73807a'],
  ink: ['#16201c', '#e8edea'],
  'ink-2': ['#48544f', '#b5bfba'],
  'ink-3': ['#65706b', '#949f99'],
  accent: ['#0b6b5d', '#5fcab6'],
  'accent-2': ['#08554a', '#82dac9'],
  'accent-soft': ['#e4f0ed', '#15312b'],
  'on-accent': ['#ffffff', '#07211b'],
  warn: ['#855000', '#e5b45e'],
  'warn-soft': ['#fbf2e1', '#2b2212'],
  bad: ['#ad2318', '#f3958c'],
  'bad-soft': ['#fbecea', '#341a18'],
  'series-2': ['#2a62a8', '#83b4f0'],
  'series-3': ['#97620f', '#dba24a'],
  'series-4': ['#7a3f9d', '#c6a0e4'],
  'series-5': ['#a3336b', '#f0a0c4'],
  'series-6': ['#5b6a12', '#c0c95a'],
  'diverging-1': ['#754505', '#e3ad57'],
  'diverging-2': ['#c08f3f', '#b07c2b'],
  'diverging-3': ['#dcbb83', '#765424'],
  'diverging-4': ['#ecdfc5', '#40341f'],
  'diverging-5': ['#f4f4f1', '#232a27'],
  'diverging-6': ['#cfe5e0', '#1d3a34'],
  'diverging-7': ['#94c9bf', '#23604f'],
  'diverging-8': ['#4fa695', '#2f9581'],
  'diverging-9': ['#08594d', '#63cdb9'],
};

export const FONT =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif';
export const MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
