import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [
    vue({
      // Elements of the browser, not components of Vue.
      template: { compilerOptions: { isCustomElement: (name) => name.startsWith('pm-') } },
    }),
  ],
});
