import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly src?: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const script = fileURLToPath(new URL('../build.ts', import.meta.url));
let folder: string;
let chunks: Readonly<Record<string, Chunk>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  await promisify(execFile)(process.execPath, ['--conditions=source', script, folder]);
  chunks = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as typeof chunks;
  // The bundler takes 3 s, and a multiple of that on a busy machine.
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The files that are loaded with a chunk. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = chunks[name];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const sheet of chunk.css ?? []) seen.add(sheet);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
}

async function kibOf(files: Iterable<string>): Promise<number> {
  let bytes = 0;
  for (const file of files) bytes += gzipSync(await readFile(join(folder, file))).length;
  return bytes / 1024;
}

const entry = () => Object.keys(chunks).find((name) => chunks[name]?.isEntry) ?? '';
const pages = () => Object.keys(chunks).filter((name) => chunks[name]?.src?.startsWith('src/pages/'));

it('loads at most 230 KiB before the first page, with the words of one language', async () => {
  const files = filesOf(entry());
  for (const file of filesOf('src/language/en.ts')) files.add(file);
  expect(await kibOf(files)).toBeLessThanOrEqual(230);
});

it('loads at most 40 KiB more for each page', async () => {
  const first = filesOf(entry());
  expect(pages().length).toBeGreaterThan(10);
  for (const page of pages()) {
    const more = [...filesOf(page)].filter((file) => !first.has(file));
    expect(await kibOf(more), page).toBeLessThanOrEqual(40);
  }
});

it('has no script or style within its page, and nothing of other hosts', async () => {
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<style|style=|https?:|<script(?![^>]*\bsrc=)/);
});
