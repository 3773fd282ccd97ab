import { defineStudy } from 'private-moments';
import type { Clipping, StudyDefinition } from 'private-moments';
import {
  defaultMechanism,
  MECHANISM_FACTS,
  MECHANISM_WORDS,
  MECHANISMS,
} from 'private-moments/internal';
import { bound, count } from 'private-moments/words';
import { numberIn } from '../../controls/input-values.js';
import { oneIn } from '../consent.js';
import type { Variant } from '../designer-protocol.js';
import {
  clippingsOf,
  defaultClipping,
  definitionOf,
  honestOf,
  isDeltaLarge,
  presentClipping,
  type Draft,
} from '../draft.js';

/** A change of the draft that may make the forecast better. */
export interface Lever {
  id: string;
  /** What it is called: "Split noise". */
  name: string;
  /** What it asks of people, in a sentence, or ''. */
  asks: string;
  costs: 'nothing' | 'trust in a helper' | 'more rows' | 'privacy';
  patch: Partial<Draft>;
  variant: Variant;
}

const CLIPPINGS: Record<Clipping, readonly [name: string, asks: string]> = {
  centred: ['Private centring', 'Each site reads its rows twice.'],
  adaptive: ['Adaptive clipping', ''],
  fixed: ['A fixed row norm', ''],
};

/** The largest epsilon that is proposed. */
const MAX_EPSILON = 10;

/** Levers of drafts, which never change: a page asks for those of the same draft with each rendering. */
const found = new WeakMap<Draft, readonly Lever[]>();

/** The changes that the draft allows, those that cost nothing first. */
export function leversOf(draft: Draft): readonly Lever[] {
  const levers = found.get(draft) ?? allowed(draft);
  found.set(draft, levers);
  return levers;
}

function allowed(draft: Draft): Lever[] {
  return candidates(draft).flatMap((lever) => {
    const changed = { ...draft, ...lever.patch };
    const definition = definedBy(changed);
    if (definition === undefined) return [];
    const isRow = changed.unit === 'row';
    const sites = numberIn(changed.sites);
    const variant = { definition, rows: isRow ? changed.rows : sites, sites: isRow ? sites : 1 };
    return [{ ...lever, variant }];
  });
}

/** The study, if there is one. Its title does not matter. */
function definedBy(draft: Draft): StudyDefinition | undefined {
  try {
    return defineStudy(definitionOf({ ...draft, title: 'Untitled' })).toJSON();
  } catch {
    return undefined;
  }
}

function candidates(draft: Draft): Omit<Lever, 'variant'>[] {
  const { unit, mode, epsilon, delta, rows } = draft;
  const weaker = Number((10 * delta).toPrecision(1));
  const sites = numberIn(draft.sites);
  const isRow = unit === 'row';
  return [
    ...(isRow && sites >= 2 && mode === 'independent' && canSplit(draft)
      ? [
          {
            id: 'split',
            name: 'Split noise',
            asks: `It needs a helper who never shares files with the analyst, and at least ${honestOf(draft)} of the ${draft.sites} sites must not collude.`,
            costs: 'trust in a helper',
            patch: { mode: 'split' },
          } as const,
        ]
      : []),
    ...(mode === 'independent'
      ? []
      : [
          {
            id: 'independent',
            name: 'Independent noise',
            asks: 'Each site then sends one file and trusts no other party, only its own computer and the page it loaded.',
            costs: 'nothing',
            patch: { mode: 'independent' },
          } as const,
        ]),
    ...clippingLevers(draft),
    ...mechanismLevers(draft),
    ...(isRow
      ? [
          {
            id: 'rows',
            name: `${count(2 * rows)} rows per site`,
            asks: '',
            costs: 'more rows',
            patch: { rows: 2 * rows },
          } as const,
        ]
      : []),
    {
      id: 'sites',
      name: `${count(2 * sites)} ${isRow ? 'sites' : 'participants'}`,
      asks: '',
      costs: 'more rows',
      patch: { sites: String(2 * sites), honest: '' },
    },
    ...(epsilon >= MAX_EPSILON
      ? []
      : [
          {
            id: 'epsilon',
            name: `ε = ${bound(Math.min(MAX_EPSILON, 2 * epsilon))}`,
            asks: '',
            costs: 'privacy',
            patch: { epsilon: Math.min(MAX_EPSILON, 2 * epsilon) },
          } as const,
        ]),
    ...(delta > 0 && !isDeltaLarge(draft, weaker)
      ? [
          {
            id: 'delta',
            name: `δ ${oneIn(weaker)}`,
            asks: '',
            costs: 'privacy',
            patch: { delta: weaker },
          } as const,
        ]
      : []),
  ];
}

function canSplit({ mechanism, delta }: Draft): boolean {
  const name = mechanism === '' ? defaultMechanism(delta) : mechanism;
  const known = MECHANISMS.find((other) => other === name);
  return known !== undefined && MECHANISM_FACTS[known].federations.includes('split');
}

function clippingLevers(draft: Draft): Omit<Lever, 'variant'>[] {
  const present = presentClipping(draft);
  return clippingsOf(draft)
    .filter((clipping) => clipping !== present)
    .map((clipping) => {
      const norm = clipping === 'centred' ? { rowNorm: '' } : {};
      const usual = defaultClipping({ ...draft, ...norm });
      const [name, asks] = CLIPPINGS[clipping];
      return {
        id: `clipping.${clipping}`,
        name,
        asks,
        costs: 'nothing',
        patch: { ...norm, clipping: clipping === usual ? '' : clipping },
      } as const;
    });
}

/** The mechanism that is usual for delta, if the draft has another. */
function mechanismLevers({ mechanism, delta }: Draft): Omit<Lever, 'variant'>[] {
  const usual = defaultMechanism(delta);
  return mechanism === '' || mechanism === usual
    ? []
    : [
        {
          id: 'mechanism',
          name: `${MECHANISM_WORDS[usual].title} noise`,
          asks: '',
          costs: 'nothing',
          patch: { mechanism: '' },
        },
      ];
}
