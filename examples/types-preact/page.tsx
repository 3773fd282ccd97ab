import type {} from 'private-moments/preact';

const study = 'https://site.example/#study=a';

export const page = (
  <pm-participate
    study={study}
    compact
    budgetDelta={1e-6}
    budget-epsilon="1"
    onpm-release={({ detail }) => console.log(detail.name, detail.release.rows)}
  />
);

// @ts-expect-error: the element has no such property
export const misspelt = <pm-participate studdy={study} />;

// @ts-expect-error: this event has no study
export const mistaken = <pm-participate onpm-release={({ detail }) => detail.study} />;
