import type { TestProject } from 'vitest/node';
import { bundleSources } from '../../tools/source.mjs';

/** Tests start workers and processes from the current sources, which are bundled before every run. */
export default async function setup(project: TestProject): Promise<void> {
  await bundleSources();
  project.onTestsRerun(async () => {
    await bundleSources();
  });
}
