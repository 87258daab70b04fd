import { expect, it } from 'vitest';
import { preferredLanguage } from './preferred-language.ts';

it.each([
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['DE-de', 'de'],
  ['en;q=0.5, de;q=0.7', 'de'],
  ['en,de', 'en'],
  ['fr-FR,fr;q=0.9,de;q=0.8,en;q=0.7', 'de'],
  ['de;q=0, en;q=0.1', 'en'],
  ['zh-Hant-TW ; q=1.0 , en ; q = 0.2', 'en'],
  // Any other language is as good, so nobody asks for one of these.
  ['*', undefined],
  ['fr, *;q=0.5, de;q=0.1', undefined],
  ['fr', undefined],
  ['den', undefined],
  ['', undefined],
  [undefined, undefined],
  // What is no range counts for nothing.
  ['de;q=2, en;q=0.1', 'en'],
  ['<script>, ;;;, q=1, de', 'de'],
  [`${'a,'.repeat(8000)}de`, undefined],
])('%s asks for %s', (header, language) => {
  expect(preferredLanguage(header, ['en', 'de'])).toBe(language);
});
