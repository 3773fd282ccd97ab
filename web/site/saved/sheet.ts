import { css, html, type CSSResult, type TemplateResult } from 'lit';

/** Heads the printed sheet: what it is about, and where and when it was printed. */
export function sheetHead(version: string): TemplateResult {
  const day = new Date().toLocaleDateString('en-GB', { dateStyle: 'long' });
  return html`<div class="sheet">
    <h1>private-moments ${version}, for the data protection officer</h1>
    <p class="label">Printed on ${day} from ${location.origin}${location.pathname}</p>
  </div>`;
}

/** What leaves, what it promises and what it does not; only on the printed sheet. */
export function sheetPromise(): TemplateResult {
  const parts = [
    [
      'What leaves this computer',
      'One small file for each study, which a person saves and sends: sums of squares and products of the ' +
        'columns that the study names, with random noise added before the file exists. Some studies add noisy ' +
        'counts, and some state the number of rows, exactly; the study and its page say so. The file also ' +
        'says which study it is for, how the noise was made and what it promises. It holds no row, no cell and no name.',
    ],
    [
      'What that promises',
      'Differential privacy: with one row (or, if the study says so, all rows of one person) changed, ' +
        'any outcome is at most e to the power epsilon times as likely, plus delta. The study and the file ' +
        'state epsilon, delta and what is protected.',
    ],
    [
      'What it does not promise',
      'That nothing can be learned about a group, that the columns are fit to be shared, or that the ' +
        'computer is free of other programs that read them. Guarantees add up over studies; the ledger in ' +
        'the browser counts those made there, and nobody else’s.',
    ],
  ];
  return html`<div class="sheet promise">
    ${parts.map(
      ([title, text]) =>
        html`<section>
          <h3>${title}</h3>
          <p>${text}</p>
        </section>`,
    )}
  </div>`;
}

/** `sheet` is printed only, `on-screen` is not printed. */
export const sheetStyles: CSSResult = css`
  @media screen {
    .sheet {
      display: none;
    }
  }

  @media print {
    /* One page of A4 or Letter. */
    :host {
      color-scheme: light;
      zoom: 0.8;
    }

    .on-screen {
      display: none;
    }

    .sheet h1 {
      font-size: 24px;
      line-height: 30px;
    }

    .box {
      margin-top: 16px;
      padding: 16px 0 0;
      border: 0;
      border-top: 1px solid var(--_line-2);
      border-radius: 0;
    }

    .top {
      flex-direction: row;
      padding-bottom: 12px;
    }

    .hash {
      grid-template-columns: repeat(4, max-content);
      gap: 2px 16px;
      min-height: 0;
      font-size: 17px;
    }

    .head {
      margin-top: 16px;
    }

    .columns {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
      gap: 24px 32px;
      margin-top: 16px;
    }

    .rules th {
      width: auto;
      white-space: normal;
    }

    .promise {
      display: grid;
      grid-template-columns: repeat(3, minmax(0, 1fr));
      gap: 24px;
      margin-top: 20px;
      padding-top: 16px;
      border-top: 1px solid var(--_line);
      font-size: 14px;
      line-height: 20px;
    }
  }
`;
