import { describe, expect, it } from 'vitest';
import { isOrigin, isOriginPattern, isSameOrigin, matcherOf } from './origins.ts';

describe('an origin', () => {
  it.each(['https://shop.example', 'http://localhost:5173', 'http://127.0.0.1', 'http://[::1]:8080'])('is %s', (text) =>
    expect([isOrigin(text), isOriginPattern(text)]).toEqual([true, true]),
  );

  it.each([
    '*',
    'null',
    'shop.example',
    'https://shop.example/',
    'https://Shop.example',
    'https://shop.example:443',
    'https://ann@shop.example',
    'https://*.shop.example',
    'file:///page.html',
    'https://shop.example:*/',
  ])('is not %s', (text) => expect([isOrigin(text), isOriginPattern(text)]).toEqual([false, false]));
});

describe('an origin with any port', () => {
  it('matches its host with each port and with none, and nothing else', () => {
    expect(isOriginPattern('http://127.0.0.1:*')).toBe(true);
    expect(isOrigin('http://127.0.0.1:*')).toBe(false);
    const matcher = matcherOf('http://127.0.0.1:*') as RegExp;
    const matched = (origin: string) => matcher.test(origin);
    expect(['http://127.0.0.1', 'http://127.0.0.1:5173'].every(matched)).toBe(true);
    const others = [
      'https://127.0.0.1:5173',
      'http://127.0.0.1:1.evil.example',
      'http://127x0.0.1:80',
      'a http://127.0.0.1',
    ];
    expect(others.some(matched)).toBe(false);
    expect((matcherOf('http://[::1]:*') as RegExp).test('http://[::1]:3000')).toBe(true);
  });

  it('without it matches itself', () => {
    expect(matcherOf('https://shop.example')).toBe('https://shop.example');
  });
});

describe('a request of a page', () => {
  const [own, host] = ['http://localhost:3000', 'localhost:3000'];
  const cases: [string, boolean, Record<string, string>][] = [
    ['of the same origin', true, { origin: own, 'sec-fetch-site': 'same-origin' }],
    ['of the same origin behind a proxy', true, { origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' }],
    ['of the same origin in an older browser', true, { origin: own }],
    ['of another site', false, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['of another port', false, { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' }],
    ['of another port in an older browser', false, { origin: 'http://localhost:5173' }],
    ['that hides its origin', false, { origin: 'null' }],
    ['typed into the address bar', false, { 'sec-fetch-site': 'none' }],
    ['that is no page', false, {}],
  ];
  it.each(cases)('%s is of the same origin: %s', (_what, expected, headers) =>
    expect(isSameOrigin(headers, host)).toBe(expected),
  );
});
