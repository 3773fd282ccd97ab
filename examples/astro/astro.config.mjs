export default {
  vite: {
    // The development server would move the package away from its workers and WebAssembly.
    optimizeDeps: { exclude: ['private-moments'] },
    worker: { format: 'es' },
  },
};
