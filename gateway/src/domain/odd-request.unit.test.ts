import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOddity } from './odd-request.ts';

const host = ['Host', 'api.example'];
const get = (target: string) => findOddity('GET', target, host);

const units = ['/', '.', '%', '2', 'e', 'E', 'f', 'F', '5', 'c', 'C', '0', 'a', 'A', 'Z', '~', '_', '\\', '?', '#'];

describe('a request line', () => {
  it.each([
    '/',
    '/v1/auth/login',
    '/.well-known/jwks.json',
    "/a-b_c~d!$&'()*+,;=:@",
    '/%C3%A9',
    '/a%20b',
    '/a?b=%2F..%2e//',
  ])('%s is ordinary', (target) => {
    expect(get(target)).toBeUndefined();
  });

  it.each([
    '',
    '*',
    'v1',
    'http://x/',
    '/a//b',
    '/..',
    '/a/../b',
    '/./a',
    '/a%2Fb',
    '/a%5c',
    '/%2e',
    '/%00',
    '/%1F',
    '/%7f',
  ])('%s is odd', (target) => {
    expect(get(target)?.status).toBe(400);
  });

  it.each([
    '/a%',
    '/a%4',
    '/%41',
    '/%7a',
    '/%30',
    '/%2d',
    '/%5f',
    '/%7E',
    '/%252e',
    '/%ff',
    '/a b',
    '/a"b',
    '/a<b',
    '/a^',
  ])('%s is odd, too', (target) => {
    expect(get(target)?.status).toBe(400);
  });

  it('that passes has one spelling: decoding and encoding it again changes nothing of its structure', () => {
    assert(
      property(string({ unit: constantFrom(...units) }), (rest) => {
        const target = `/${rest}`;
        if (findOddity('GET', target, host)) return;
        const path = target.split('?', 1)[0] as string;
        const decoded = decodeURIComponent(path);
        expect(decoded.split('/').length).toBe(path.split('/').length);
        expect(new URL(target, 'http://x').pathname).toBe(path);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['TRACE', 'CONNECT', 'PROPFIND', 'get', undefined])('with the method %s is 405', (method) => {
    expect(findOddity(method, '/', host)?.status).toBe(405);
  });
});

describe('headers', () => {
  const post = (...headers: string[]) => findOddity('POST', '/', [...host, ...headers]);

  it('are ordinary with one length, or in chunks', () => {
    expect(post('Content-Length', '2', 'Content-Type', 'application/json')).toBeUndefined();
    expect(post('Transfer-Encoding', 'Chunked')).toBeUndefined();
    expect(post('Accept', 'a', 'Accept', 'b')).toBeUndefined();
  });

  it.each([
    ['Host', 'again'],
    ['Content-Length', '1', 'content-length', '1'],
    ['Content-Type', 'a', 'Content-type', 'b'],
    ['Transfer-Encoding', 'chunked', 'Transfer-Encoding', 'chunked'],
    ['Transfer-Encoding', 'chunked', 'Content-Length', '1'],
    ['Transfer-Encoding', 'gzip, chunked'],
    ['Transfer-Encoding', 'identity'],
  ])('%s %s … are odd', (...headers) => {
    expect(post(...headers)?.status).toBe(400);
  });

  it('must name a host, and give a GET no body', () => {
    expect(findOddity('GET', '/', [])?.status).toBe(400);
    expect(findOddity('GET', '/', [...host, 'Content-Length', '0'])).toBeUndefined();
    expect(findOddity('GET', '/', [...host, 'Content-Length', '1'])?.status).toBe(400);
    expect(findOddity('HEAD', '/', [...host, 'Transfer-Encoding', 'chunked'])?.status).toBe(400);
  });
});
