import type { TestProject } from 'vitest/node';
import { bundleSources, WITH_RESEARCH } from '../../tools/source.mjs';

/** Workers run from the sources as they are: bundled again before every run. */
export default async function setup(project: TestProject): Promise<void> {
  await bundleSources(WITH_RESEARCH);
  project.onTestsRerun(async () => {
    await bundleSources(WITH_RESEARCH);
  });
}
