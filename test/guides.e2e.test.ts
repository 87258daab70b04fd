import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { commonErrors } from '@storefront/contracts';
import { freshDatabase, freshVhost } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patient } from './patient.ts';
import { start, type Description } from './start-process.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../', import.meta.url));
const guidesFolder = join(root, 'docs/guides');
// Inside of the project, where the packages are found that the guides import.
const folder = join(root, 'test/.guides');

/** The TypeScript of a guide: its blocks, one after the other. */
async function codeOf(guide: string): Promise<string> {
  const text = await readFile(join(guidesFolder, guide), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code).join('\n');
}

const codes = new Map<string, string>();
for (const guide of (await readdir(guidesFolder)).sort()) {
  const code = guide.endsWith('.md') ? await codeOf(guide) : '';
  if (code !== '') codes.set(guide, code);
}
const fileOf = (guide: string) => join(folder, guide.replace('.md', '.ts'));

const resources = new AsyncDisposableStack();
let description: Description;
let gateway: string;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-guides-'));
  resources.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  const vhost = await freshVhost('guides');
  resources.defer(() => vhost.drop());
  const env = { DATA_DIR: dataDir, MONGODB_URL: freshDatabase('guides').url, AMQP_URL: vhost.url };
  const ports = { PORT: '0', MAILBOX_PORT: '0', PAYMENTS_PORT: '0' };
  const system = start(['--json'], { ...env, ...ports, TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'off', ...patient });
  resources.defer(async () => {
    system.kill('SIGTERM');
    await system.exited;
  });
  description = await system.ready();
  gateway = description.gateways[0] ?? '';
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  for (const [guide, written] of codes) {
    const code = written
      .replaceAll('http://localhost:3000', gateway)
      .replaceAll('http://localhost:3080', description.storefront ?? '')
      .replaceAll(/'(retail|trade|admin)-password'/g, (_text, name: string) =>
        JSON.stringify(description.accounts[name]?.password),
      );
    await writeFile(fileOf(guide), `${code}\nexport {};\n`);
  }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.base.json',
      compilerOptions: { composite: false, noEmit: true, incremental: false, lib: ['ES2024', 'DOM', 'DOM.Iterable'] },
      include: ['*.ts'],
    }),
  );
});
afterAll(() => resources.disposeAsync());

describe('the code of the guides', () => {
  it('compiles as strictly as our own', async () => {
    const compiled = await run('node_modules/.bin/tsc', ['-p', folder], { cwd: root }).catch((error: unknown) => error);
    expect(compiled).toMatchObject({ stdout: '' });
  });

  it.each([...codes])('%s runs, and prints what its comments say', async (guide, code) => {
    const { stdout } = await run(process.execPath, ['--conditions=source', fileOf(guide)], { cwd: root });
    const printed = stdout.trim().split('\n');
    for (const [, promised] of code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)) expect(printed).toContain(promised);
  });
});

it('every error has a remedy, and every problem leads to its own', async () => {
  const reference = await readFile(join(root, 'docs/reference/errors.md'), 'utf8');
  const codes = [...reference.matchAll(/^\| \d+ \| `(\w+)`/gm)].map(([, code]) => code ?? '');
  const text = await readFile(join(guidesFolder, '04-errors.md'), 'utf8');
  const explained = [...text.matchAll(/^### (\w+)$/gm)].map(([, code]) => code ?? '');
  // These two are of the services' own ports alone.
  const internal = [commonErrors.methodNotAllowed.code, commonErrors.gatewayOnly.code];
  expect([...explained].sort()).toEqual([...codes, ...internal].sort());

  const answer = await fetch(`${gateway}/v1/products/nothing`);
  const { code, type } = (await answer.json()) as { code: string; type: string };
  const page = await (await fetch(new URL(type, gateway))).text();
  expect(page).toContain(`id="${code}"`);
});
