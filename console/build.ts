// Builds the console into the folder that is given: `node --conditions=source console/build.ts <folder>`.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { operationsModule } from './operations-module.ts';

const [outDir] = process.argv.slice(2);
if (outDir === undefined) throw new Error('usage: build.ts <folder>');

// Whoever calls this may be a test or a development server; what is built is always for use.
process.env.NODE_ENV = 'production';
await build({
  configFile: false,
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  logLevel: 'warn',
  plugins: [react(), operationsModule()],
  resolve: { conditions: ['source', 'module', 'browser', 'import', 'default'] },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page allows no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    rolldownOptions: {
      output: {
        // What all pages share is loaded once and kept over versions of the console.
        codeSplitting: { groups: [{ name: 'vendor', test: /node_modules/ }] },
      },
    },
  },
});
