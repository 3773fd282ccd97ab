import { nodeResolve } from '@rollup/plugin-node-resolve';

export default {
  // Workers are found beside the bundle.
  input: {
    main: 'main.js',
    worker: 'private-moments/worker.js',
    'analysis-worker': 'private-moments/analysis-worker.js',
  },
  output: { dir: 'dist', format: 'es' },
  plugins: [nodeResolve()],
};
