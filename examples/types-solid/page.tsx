import type {} from 'private-moments/solid';

const study = 'https://site.example/#study=a';

export const page = (
  <pm-participate
    study={study}
    compact
    prop:budgetDelta={1e-6}
    budget-epsilon="1"
    on:pm-release={({ detail }) => console.log(detail.name, detail.release.rows)}
  />
);

// @ts-expect-error: the element has no such property
export const misspelt = <pm-participate studdy={study} />;

// @ts-expect-error: this event has no study
export const mistaken = <pm-participate on:pm-release={({ detail }) => detail.study} />;
