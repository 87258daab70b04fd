import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const listModules = `
  import { createRequire } from 'node:module';
  await import(${JSON.stringify(new URL('../src/service.ts', import.meta.url).href)});
  const files = Object.keys(createRequire(import.meta.url).cache);
  const packages = files.map((file) => file.split('/node_modules/').at(-1).split('/')[0]);
  process.stdout.write(JSON.stringify([...new Set(packages)]));
`;

it('a gateway loads no database driver', async () => {
  const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning', '--input-type=module'];
  const { stdout } = await run(process.execPath, [...flags, '--eval', listModules], { cwd: import.meta.dirname });
  const packages = JSON.parse(stdout) as string[];
  // To be sure that the list is one of loaded packages.
  expect(packages).toEqual(expect.arrayContaining(['fastify', 'undici', 'amqplib']));
  expect(packages.filter((name) => /mongo|bson/.test(name))).toEqual([]);
});
