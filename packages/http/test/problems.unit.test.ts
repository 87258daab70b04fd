import {
  bodyField,
  commonErrors,
  defineErrors,
  identityErrors,
  Refusal,
  statusOf,
  type FieldError,
  type ProblemBody,
} from '@storefront/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Server } from '../src/index.ts';
import { newServer, tokenOf } from './kit.ts';

let thrown: unknown;
let server: Server;
beforeEach(() => {
  server = newServer({
    toRefusal: (error) => (error === 'driver error' ? commonErrors.databaseUnavailable() : undefined),
  });
  server.app.get('/v1/refused', { config: { access: 'public' } }, () => {
    throw thrown;
  });
});
afterEach(() => server.app.close());

async function refusedWith(error: unknown) {
  thrown = error;
  return server.app.inject({ url: '/v1/refused?q=1', headers: await tokenOf(null) });
}

describe('a refusal', () => {
  it('becomes a problem with its code, its detail and its wrong fields', async () => {
    const fields = [{ pointer: '/email', in: 'body', code: 'invalid_format', message: 'is no email' }] as const;
    const answer = await refusedWith(commonErrors.validationFailed('Wrong fields.').with({ fields }));
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.json()).toEqual({
      type: '/docs/guides/errors#validation_failed',
      title: 'Bad Request',
      status: 400,
      detail: 'Wrong fields.',
      instance: '/v1/refused',
      code: 'validation_failed',
      requestId: answer.headers['x-request-id'],
      errors: fields,
    });
  });

  it('carries the members of its error', async () => {
    const members = { methods: ['password'] };
    const answer = await refusedWith(identityErrors.reauthenticationRequired().with({ members }));
    expect(answer.json()).toMatchObject({ status: 403, code: 'reauthentication_required', methods: ['password'] });
  });

  it.each(Object.entries(statusOf))('of the kind %s has the status %i', async (kind, status) => {
    const { statusCode, headers, body } = await refusedWith(
      new Refusal({ code: 'some_code', kind: kind as keyof typeof statusOf }, 'Some detail.'),
    );
    expect(statusCode).toBe(status);
    expect(JSON.parse(body)).toMatchObject({ status, code: 'some_code', detail: 'Some detail.' });
    expect(headers['retry-after']).toBe(status === 429 || status === 503 ? '1' : undefined);
    expect(headers['www-authenticate']).toBeUndefined();
  });
});

describe('an answer that names wrong fields', () => {
  const wrong = (at: number, name = String(at)) =>
    bodyField(`/${name}`, 'unknown_field', 'This field is not known here.');
  const answerFor = (fields: readonly FieldError[]) => refusedWith(commonErrors.validationFailed().with({ fields }));

  it('names the first hundred, and says how many more there are', async () => {
    const { errors, moreErrors } = (await answerFor(Array.from({ length: 1234 }, (_, at) => wrong(at)))).json();
    expect(errors).toHaveLength(100);
    expect(errors[99]).toEqual(wrong(99));
    expect(moreErrors).toBe(1134);
    expect((await answerFor([wrong(1)])).json()).not.toHaveProperty('moreErrors');
  });

  it('is no more than 16 KiB, however long their names and the path are', async () => {
    const long = Array.from({ length: 50 }, (_, at) => wrong(at, '\ud800\u0001'.repeat(1000)));
    const { body } = await answerFor(long);
    expect(Buffer.byteLength(body)).toBeLessThan(16 * 1024);
    const { errors, moreErrors } = JSON.parse(body) as ProblemBody;
    expect(errors?.[0]?.pointer).toHaveLength(300);
    expect((errors?.length ?? 0) + (moreErrors ?? 0)).toBe(50);
    const path = `/${'x'.repeat(15_000)}`;
    const { instance } = (await server.app.inject({ url: path, headers: await tokenOf(null) })).json();
    expect(instance).toBe(path.slice(0, 1024));
  });
});

describe('Retry-After', () => {
  const errors = defineErrors({ closed: { kind: 'conflict', detail: 'Closed.', retryAfterSeconds: 30 } });

  it.each([
    ['what the error declares', errors.closed(), '30'],
    ['what the refusal says', errors.closed().with({ retryAfterSeconds: 90 }), '90'],
    ['a second at least', identityErrors.tooManyAttempts().with({ retryAfterSeconds: 0.2 }), '1'],
    ['whole seconds, rounded up', identityErrors.tooManyAttempts().with({ retryAfterSeconds: 61.1 }), '62'],
    ['a second where nothing else is said', commonErrors.overloaded(), '1'],
  ])('is %s', async (_what, refusal, seconds) => {
    expect((await refusedWith(refusal)).headers['retry-after']).toBe(seconds);
  });

  it('is not sent with a refusal that no waiting changes', async () => {
    expect((await refusedWith(commonErrors.roleRequired())).headers['retry-after']).toBeUndefined();
  });
});

it('says how to authenticate', async () => {
  const missing = await refusedWith(commonErrors.authenticationRequired());
  expect([missing.statusCode, missing.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  const expired = await refusedWith(commonErrors.invalidToken('The access token expired'));
  expect([expired.statusCode, expired.headers['www-authenticate']]).toEqual([
    401,
    'Bearer error="invalid_token", error_description="The access token expired"',
  ]);
});

it('makes refusals of the errors of what the service works with', async () => {
  const answer = await refusedWith('driver error');
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'database_unavailable']);
  expect((await refusedWith(new Error('another error'))).json().code).toBe('internal_error');
});

it('says in its own words what Fastify refuses', async () => {
  const headers = { ...(await tokenOf(null)), 'content-type': 'application/json' };
  server.app.post('/v1/taken', { config: { access: 'public' }, bodyLimit: 10 }, () => ({}));
  const post = async (payload: string, type = 'application/json') => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/v1/taken',
      headers: { ...headers, 'content-type': type },
      payload,
    });
    return [answer.statusCode, answer.json().code];
  };
  expect(await post('{"a":')).toEqual([400, 'malformed_request']);
  expect(await post('{"a":"12345678"}')).toEqual([413, 'body_too_large']);
  expect(await post('a', 'text/css')).toEqual([415, 'unsupported_media_type']);
});
