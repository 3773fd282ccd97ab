import { wrapped } from 'private-moments/internal/elements';
import { COLOURS, FONT, bound } from 'private-moments/words';
import type { Score } from './find-me-game.js';
import { rightOf, verdict } from './find-me-words.js';
import { barOf } from './score-bar.js';

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 88;
const LINE = 44;

/** A game as a picture to keep: the score, epsilon, and the bar. Always light. */
export async function cardOf(score: Score, best: number, inStudies: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws no pictures');
  draw(context, score, best, inStudies);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (blob === null) throw new Error('this browser makes no PNG files');
  return blob;
}

function draw(
  context: CanvasRenderingContext2D,
  score: Score,
  best: number,
  inStudies: number,
): void {
  const colour = (role: string): string => COLOURS[role]?.[0] ?? '#000000';
  const font = (size: number, weight: number): void => {
    context.font = `${weight} ${size}px ${FONT}`;
  };
  const rectangle = (role: string, x: number, y: number, width: number, height: number): void => {
    context.fillStyle = colour(role);
    context.fillRect(x, y, width, height);
  };
  const text = (words: string, x: number, y: number, role: string): void => {
    context.fillStyle = colour(role);
    context.fillText(words, x, y);
  };
  rectangle('bg', 0, 0, WIDTH, HEIGHT);
  font(32, 400);
  text(`At ε = ${bound(score.epsilon)} I was right`, MARGIN, 128, 'ink-2');
  font(104, 600);
  text(rightOf(score), MARGIN, 232, 'ink');
  const after = MARGIN + context.measureText(rightOf(score)).width + 20;
  font(40, 400);
  text('times', after, 232, 'ink-2');

  font(26, 400);
  const width = WIDTH - 2 * MARGIN;
  const share = (100 * score.right) / score.of;
  const bar = barOf({ score: share, best }, width, (words) => context.measureText(words).width);
  const top = 332;
  rectangle('sunken', MARGIN, top, width, 20);
  rectangle('line-2', MARGIN, top, Math.min(bar.coin, bar.you), 20);
  if (bar.you > bar.coin) rectangle('accent', MARGIN + bar.coin, top, bar.you - bar.coin, 20);
  rectangle('accent', MARGIN + bar.you - 2, top - 14, 4, 34);
  for (const x of [bar.coin, bar.most]) rectangle('ink-3', MARGIN + x - 1, top + 20, 2, 14);
  for (const { words, x, anchor } of bar.labels) {
    context.textAlign = anchor === 'middle' ? 'center' : anchor;
    text(words, MARGIN + x, top + 64, 'ink-3');
  }
  font(30, 600);
  context.textAlign = 'center';
  const own = `me ${Math.round(share)}`;
  const half = context.measureText(own).width / 2;
  text(own, MARGIN + Math.max(half, Math.min(width - half, bar.you)), top - 26, 'accent');

  context.textAlign = 'start';
  font(30, 400);
  const said = verdict(score, best, inStudies).replace(' you can tell', ' one can tell');
  wrapped(
    said.replace(' That is not you:', ' That is not me:'),
    width,
    (words) => context.measureText(words).width,
  ).forEach((line, i) => {
    text(line, MARGIN, 468 + i * LINE, 'ink-2');
  });
  font(26, 600);
  text('Find me', MARGIN, HEIGHT - 40, 'accent');
  const name = MARGIN + context.measureText('Find me').width + 12;
  font(26, 400);
  text('private-moments', name, HEIGHT - 40, 'ink-3');
}
