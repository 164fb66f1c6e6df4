/// <reference types="vitest/config" />
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/console/',
  plugins: [vue()],
  define: { __VUE_OPTIONS_API__: false, __VUE_PROD_DEVTOOLS__: false },
  build: {
    outDir: '../gateway/console/page',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the page's policy lets no data: scripts or styles in
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
  test: { setupFiles: ['src/browser.setup.ts'] },
  server: { proxy: { '/v1': 'http://127.0.0.1:8077', '/health': 'http://127.0.0.1:8077', '/live': 'http://127.0.0.1:8077', '/console/session': 'http://127.0.0.1:8077' } },
})
