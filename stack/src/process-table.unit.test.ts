import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@storefront/testing/eventually';
import { expect, it, onTestFinished } from 'vitest';
import { createProcessTable } from './process-table.ts';

it('is written as soon as it can be, and says so', async () => {
  const root = mkdtempSync(join(tmpdir(), 'storefront-table-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'not-there-yet');
  const file = join(folder, 'processes.json');
  const said: string[] = [];
  const table = createProcessTable(file, (line) => said.push(line));
  table.set('identity', 7);
  table.set('mongodb', 8);
  expect(table.all()).toEqual({ identity: 7, mongodb: 8 });
  expect(said).toEqual([expect.stringMatching(/processes\.json can't be written, and is tried again: .*ENOENT/)]);

  await mkdir(folder);
  await eventually(() => said.length > 1, 'the table to be written again');
  expect(said[1]).toBe(`${file} is written again.`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ identity: 7, mongodb: 8 });
  table.remove();
  expect(() => readFileSync(file)).toThrow('ENOENT');
});
