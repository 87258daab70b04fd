import { describe, expect, it } from 'vitest';
import { backOff, failureOf, isClosingRefusal, mayRetry, neverAnswered } from './retry.ts';

const failing = (fields: object) => failureOf(Object.assign(new Error('x'), fields));

describe('how an attempt failed', () => {
  it.each([
    [{ code: 'ECONNREFUSED', syscall: 'connect' }, 'not-processed'],
    [{ code: 'ECONNRESET', syscall: 'connect' }, 'not-processed'],
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'not-processed'],
    [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'not-processed'],
    [{ code: neverAnswered }, 'not-processed'],
    [{ code: 'ECONNRESET', syscall: 'read' }, 'connection-lost'],
    [{ code: 'EPIPE', syscall: 'write' }, 'connection-lost'],
    [{ code: 'UND_ERR_SOCKET' }, 'connection-lost'],
    [{ code: 'UND_ERR_HEADERS_TIMEOUT' }, 'timeout'],
    [{ code: 'HPE_INVALID_CONSTANT' }, 'malformed-answer'],
  ])('%j is %s', (fields, failure) => {
    expect(failing(fields)).toBe(failure);
  });

  it("knows Fastify's refusal while closing from a service's own 503", () => {
    expect(isClosingRefusal(503, { connection: 'close', 'content-type': 'application/json' })).toBe(true);
    expect(isClosingRefusal(503, { connection: 'close', 'x-request-id': 'abc' })).toBe(false);
    expect(isClosingRefusal(503, { connection: 'keep-alive' })).toBe(false);
    expect(isClosingRefusal(500, { connection: 'close' })).toBe(false);
  });
});

describe('whether to try again', () => {
  it.each([
    ['GET', false, [true, true, false, false]],
    ['POST', false, [true, false, false, false]],
    ['POST', true, [true, true, false, false]],
    ['DELETE', false, [true, false, false, false]],
  ] as const)('%s, with an Idempotency-Key: %s', (method, key, expected) => {
    const failures = ['not-processed', 'connection-lost', 'timeout', 'malformed-answer'] as const;
    expect(failures.map((failure) => mayRetry(method, key, failure))).toEqual(expected);
  });

  it('waits longer each time, up to 400 ms', () => {
    expect([1, 2, 3, 4, 5, 9].map((tries) => backOff(tries, 1))).toEqual([40, 80, 160, 320, 400, 400]);
    expect(backOff(5, 0)).toBe(200);
  });
});
