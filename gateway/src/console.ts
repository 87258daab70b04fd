import { readdirSync, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hashOf } from './pages.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

// No inline script, no inline style, no HTML from strings, nothing of other hosts. `blob:` is for previews of
// pictures and files that somebody is about to upload, or has just read with a token.
const policy = [
  "default-src 'self'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' blob:",
  "frame-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The page in which a mail is shown as its reader gets it, in a frame of the console. */
const mailPage = 'mail.html';

// A mail has styles and pictures of its own, and must run nothing: only the page's own script is allowed, by its hash. The
// page has no origin, so a mail reaches nothing of the console, and leads nowhere.
const mailPolicy = (script: string) =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    "style-src 'unsafe-inline'",
    'img-src https: data:',
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "form-action 'none'",
    'sandbox allow-scripts',
  ].join('; ');

interface BuiltFile {
  readonly type: string;
  readonly policy: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
}

/** The folder of the built console: the configured one, or what an image carries; undefined where there is none. */
export function consoleFolder(configured: string | undefined): string | undefined {
  const carried = fileURLToPath(new URL('../console', import.meta.url));
  return configured ?? (existsSync(join(carried, 'index.html')) ? carried : undefined);
}

/**
 * Serves the console of the shop's staff, as built files, at `/console`. Every path below it that is no file is a page of
 * the console, which `index.html` shows. Files are read when they are first asked for, and only those that the folder had
 * at the start.
 */
export function serveConsole(app: FastifyInstance, folder: string): void {
  const names = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) in types),
  );
  const files = new Map<string, Promise<BuiltFile>>();

  async function read(name: string): Promise<BuiltFile> {
    const bytes = await readFile(join(folder, name));
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(name === mailPage ? bytes.toString() : '') ?? [];
    return {
      type: types[extname(name)] ?? '',
      policy: name === mailPage ? mailPolicy(script) : policy,
      bytes,
      zipped: await promisify(gzip)(bytes),
    };
  }

  async function send(name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const reading = files.get(name) ?? read(name);
    files.set(name, reading);
    const { type, policy: allowed, bytes, zipped } = await reading;
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (takesGzip) void reply.header('content-encoding', 'gzip');
    return reply
      .headers({
        'content-security-policy': allowed,
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        // Names of files below assets/ have a hash of their content.
        'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        vary: 'accept-encoding',
      })
      .type(type)
      .send(takesGzip ? zipped : bytes);
  }

  app.get('/console', (request, reply) => send('index.html', request, reply));
  app.get<{ Params: { '*': string } }>('/console/*', (request, reply) => {
    const name = request.params['*'];
    // A file that a page of an older version asks for is not answered with a page.
    if (names.has(name) || name.startsWith('assets/'))
      return names.has(name) ? send(name, request, reply) : reply.callNotFound();
    return send('index.html', request, reply);
  });
}
