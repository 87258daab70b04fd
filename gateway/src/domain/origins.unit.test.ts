import { describe, expect, it } from 'vitest';
import { isOrigin, isOriginPattern, matcherOf } from './origins.ts';

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
