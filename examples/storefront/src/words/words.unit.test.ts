import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import german from './de.json' with { type: 'json' };

it('has no sentence that stands nowhere in the shop, and names the same values', () => {
  const folder = new URL('..', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const pages = files.filter((file) => file.endsWith('.ts') && !file.startsWith('words'));
  const source = pages.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
  const unused = Object.keys(german).filter((english) => !source.includes(`'${english}'`));
  expect(unused).toEqual([]);
  const valuesOf = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort();
  for (const [english, translated] of Object.entries(german)) expect(valuesOf(translated)).toEqual(valuesOf(english));
});
