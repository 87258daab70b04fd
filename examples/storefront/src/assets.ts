import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { App } from './context.ts';

const types = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml', woff2: 'font/woff2' } as const;
const own = (name: string) => readFileSync(new URL(`../public/${name}`, import.meta.url));
const figtree = fileURLToPath(
  import.meta.resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
);

const files = {
  'shop.css': own('shop.css'),
  'shop.js': own('shop.js'),
  'icon.svg': own('icon.svg'),
  'figtree.woff2': readFileSync(figtree),
};
type Name = keyof typeof files;

const names = Object.keys(files) as Name[];
// One hash for all of them: the style sheet names the font by a relative address.
const hash = names
  .reduce((sum, name) => sum.update(files[name]), createHash('sha256'))
  .digest('hex')
  .slice(0, 12);

/** The address of a file of the shop. It changes with the files, so browsers keep a file for good. */
export const asset = (name: Name) => `/assets/${hash}/${name}`;

export function serveAssets(app: App): void {
  for (const name of names) {
    const type = types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types];
    app.get(asset(name), (c) =>
      c.body(new Uint8Array(files[name]), 200, {
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
      }),
    );
  }
}
