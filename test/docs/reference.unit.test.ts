import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { referencePages } from '../../scripts/reference.ts';

it.each(Object.entries(await referencePages()))(
  'docs/reference/%s is what the code says (npm run docs)',
  async (name, text) => {
    expect(await readFile(`docs/reference/${name}`, 'utf8')).toBe(text);
  },
);
