import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** A module of the client, as an import names it. */
export const from = (file: string) => JSON.stringify(fileURLToPath(new URL(`../src/${file}.ts`, import.meta.url)));

/** The code that a page gets of this module: bundled, without what nothing uses, and minified. */
export async function bundled(code: string): Promise<string> {
  const entry = '\0entry';
  const bundle = await rolldown({
    input: entry,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? { code, moduleType: 'ts' } : null),
      },
    ],
  });
  const { output } = await bundle.generate({ minify: true });
  return output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('');
}
