import { describe, expect, it } from 'vitest';
import { check, draftOf, emptyDraft, type Draft } from '../../../web/elements/src/design/draft.js';
import { Forecaster } from '../../../web/elements/src/design/forecaster.js';
import { ForecastPanel } from '../../../web/elements/src/design/forecast/forecast-panel.js';
import { defineStudy } from 'private-moments';
import { Host, withSilentWorkers } from '../silent-worker.js';

withSilentWorkers();

const study = defineStudy({
  title: 'T',
  columns: ['a', 'b'].map((name) => ({ name, type: 'number', min: 0, max: 1 }) as const),
  privacy: { epsilon: 1, delta: 1e-6 },
});

describe('the forecast panel', () => {
  it('says what an empty form says once a form is empty again', () => {
    const host = new Host();
    const panel = new ForecastPanel(host, new Forecaster(host));
    const show = (draft: Draft): string => {
      panel.update({ draft, study: undefined, ...check(draft) });
      return panel.finding;
    };
    const [column] = emptyDraft().columns;
    if (column === undefined) throw new Error('no column');
    const empty = show(emptyDraft());
    expect(empty).toMatch(/^Add one column/);
    const two = [column, { ...column, key: 2, name: 'a' }];
    expect(show({ ...emptyDraft(), columns: two })).toMatch(/once each column has a name/);
    const named = draftOf(study).columns;
    const views = [{ key: 1, name: 'first' }];
    expect(show({ ...draftOf(study), columns: named, views })).toMatch(/once each view has a name/);
    expect(show(draftOf(study))).toMatch(/^Computing/);
    expect(show({ ...draftOf(study), columns: [] })).toMatch(/^The forecast waits for/);
    // Fields that were emptied by hand; the number of sites is not a part of the study.
    expect(show({ ...emptyDraft(), sites: '3' })).toBe(empty);
  });
});
