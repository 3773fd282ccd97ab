import type { Study } from 'private-moments';
import { list } from 'private-moments/words';
import { css, html, nothing, type TemplateResult } from 'lit';
import type { AdjustmentChoice, MomentsResult } from '../contract/elements.js';
import { disclosure } from '../controls/disclosure.js';

export const NO_ADJUSTMENT: AdjustmentChoice = { columns: [], sites: false };

/**
 * What of a choice applies: none of the columns where one of the views that are compared, or everything, would
 * be taken out.
 */
export function applying(
  { columns, sites }: AdjustmentChoice,
  study: Study,
  compared: readonly string[],
): AdjustmentChoice {
  const known = columns.filter((name) => study.columns.some((column) => column.name === name));
  const isLeft = (names: readonly string[]): boolean => names.some((name) => !known.includes(name));
  const all = [
    study.columns.map(({ name }) => name),
    ...compared.map((view) => study.views?.[view] ?? []),
  ];
  return { columns: all.every(isLeft) ? known : [], sites };
}

/** Where the reader says what is taken out of the columns before they are analysed. */
export function adjustmentChoice(
  { moments, views }: MomentsResult,
  chosen: AdjustmentChoice,
  choose: (choice: AdjustmentChoice) => void,
): TemplateResult | typeof nothing {
  const { study, noise } = moments;
  const covariates = study.columns.map(({ name }) => name);
  const hasSites = study.federation.mode === 'independent' && noise.releases > 1;
  if (covariates.length < 2 && !hasSites) return nothing;
  const compared = views ?? [];
  const { columns, sites } = applying(chosen, study, compared);
  const label = (name: string): string =>
    study.columns.find((column) => column.name === name)?.label ?? name;
  const taken = [...columns.map(label), ...(sites ? ['differences between sites'] : [])];
  const box = (
    checked: boolean,
    text: string,
    toggled: () => void,
    disabled = false,
  ): TemplateResult =>
    html`<label>
      <input type="checkbox" .checked=${checked} ?disabled=${disabled} @change=${toggled} />
      ${text}
    </label>`;
  /** Whether something is left to compare with this column taken out, too. */
  const isPossible = (name: string): boolean =>
    applying({ columns: [...columns, name], sites }, study, compared).columns.includes(name);
  return html`<div class="adjustment">
    ${disclosure(
      'Adjust for covariates',
      html`<p class="help">
          Pairs and components are then of what is left of the other columns once these are taken
          out by a linear regression. It costs no privacy.
        </p>
        <fieldset aria-label="Covariates">
          ${covariates.map((name) =>
            box(
              columns.includes(name),
              label(name),
              () => {
                const next = covariates.filter(
                  (each) => columns.includes(each) !== (each === name),
                );
                choose({ columns: next, sites });
              },
              !columns.includes(name) && !isPossible(name),
            ),
          )}
          ${
            hasSites
              ? box(sites, 'Differences between sites', () => {
                  choose({ columns, sites: !sites });
                })
              : nothing
          }
        </fieldset>`,
      { aside: taken.length === 0 ? 'nothing' : list(taken) },
    )}
  </div>`;
}

export const adjustmentStyles = css`
  .adjustment {
    max-width: 760px;
    margin-top: 20px;
  }

  .adjustment fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }

  .adjustment fieldset label {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-height: 32px;
    margin-right: 20px;
    font-size: 15px;
  }

  .adjustment input {
    width: 18px;
    height: 18px;
    margin: 0;
    accent-color: var(--_accent);
  }

  @media (pointer: coarse), (max-width: 759px) {
    .adjustment fieldset label {
      min-height: 44px;
    }
  }

  @media print {
    .adjustment {
      display: none;
    }
  }
`;
