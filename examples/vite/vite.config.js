export default {
  // The development server would move the package away from its workers and WebAssembly.
  optimizeDeps: { exclude: ['private-moments'] },
  // Vite before 8 makes workers of another format, which cannot have several files.
  worker: { format: 'es' },
};
