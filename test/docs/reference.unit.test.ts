import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { generatedFiles } from '../../scripts/reference.ts';

it.each(Object.entries(await generatedFiles()))('%s is what the code says (npm run docs)', async (file, text) => {
  expect(await readFile(file, 'utf8')).toBe(text);
});
