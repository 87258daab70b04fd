import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalOfMalformed } from './malformed-request.ts';

const host = ['Host', 'api.example'];
const get = (target: string) => refusalOfMalformed('GET', target, host);

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
    '/a?q=Jos%C3%A9+%41&limit=%31',
  ])('%s is well-formed', (target) => {
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
  ])('%s is malformed', (target) => {
    expect(get(target)?.code).toBe('malformed_request');
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
  ])('%s is malformed, too', (target) => {
    expect(get(target)?.code).toBe('malformed_request');
  });

  it.each(['/a?q=%E9', '/a?q=%ZZ', '/a?q=%', '/a?q=100%&b=1', '/a?q=%C3', '/a?%E9=1', '/a?q=%ED%A0%80', '/a?q=%C0%AF'])(
    '%s has a query that is not UTF-8',
    (target) => {
      expect(get(target)?.code).toBe('invalid_encoding');
    },
  );

  it('that passes has one spelling: decoding and encoding it again changes nothing of its structure', () => {
    assert(
      property(string({ unit: constantFrom(...units) }), (rest) => {
        const target = `/${rest}`;
        if (refusalOfMalformed('GET', target, host)) return;
        const path = target.split('?', 1)[0] as string;
        const decoded = decodeURIComponent(path);
        expect(decoded.split('/').length).toBe(path.split('/').length);
        expect(new URL(target, 'http://x').pathname).toBe(path);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['TRACE', 'CONNECT', 'PROPFIND', 'get', undefined])('with the method %s is 405', (method) => {
    expect(refusalOfMalformed(method, '/', host)?.code).toBe('method_not_allowed');
  });
});

describe('headers', () => {
  const post = (...headers: string[]) => refusalOfMalformed('POST', '/', [...host, ...headers]);

  it('are well-formed with one length, or in chunks', () => {
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
  ])('%s %s … are malformed', (...headers) => {
    expect(post(...headers)?.code).toBe('malformed_request');
  });

  it('must name a host, and give a GET no body', () => {
    expect(refusalOfMalformed('GET', '/', [])?.code).toBe('malformed_request');
    expect(refusalOfMalformed('GET', '/', [...host, 'Content-Length', '0'])).toBeUndefined();
    expect(refusalOfMalformed('GET', '/', [...host, 'Content-Length', '1'])?.code).toBe('malformed_request');
    expect(refusalOfMalformed('HEAD', '/', [...host, 'Transfer-Encoding', 'chunked'])?.code).toBe('malformed_request');
  });
});
