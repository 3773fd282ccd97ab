import { defineStudy } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { sizes } from '../../../web/elements/src/analyse/analysis-result.js';

describe('the number of directions of a view', () => {
  it('is one less than the levels of a category, which add up to one', () => {
    const study = defineStudy({
      title: 'Shifts',
      columns: [
        { name: 'age', type: 'number', min: 0, max: 90 },
        { name: 'work', type: 'category', levels: ['day', 'night', 'none'] },
        { name: 'sex', type: 'category', levels: ['female', 'male'] },
      ],
      views: { both: ['age', 'work'], sex: ['sex'] },
      privacy: { epsilon: 1, delta: 1e-6 },
    });
    expect(sizes({ study }, ['both', 'sex'])).toEqual([3, 1]);
  });
});
