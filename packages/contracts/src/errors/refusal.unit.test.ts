import { expect, test } from 'vitest';
import { z } from 'zod';
import { bodyField, commonErrors, invalidFields, notFound } from './common.ts';
import { defineErrors, Refusal } from './refusal.ts';

const errors = defineErrors({
  slugTaken: {
    kind: 'conflict',
    detail: (slug: string) => `The slug ${slug} belongs to another one.`,
    example: ['mug'],
  },
  badToken: {
    kind: 'unauthenticated',
    detail: (why: string) => `${why}.`,
    example: ['It expired'],
    challenge: (why: string) => `Bearer error_description="${why}"`,
  },
  tooManyTries: { kind: 'throttled', detail: 'Too many tries.', retryAfterSeconds: 30 },
  away: { kind: 'unavailable', detail: 'It is away.' },
});

test('the name of an error in snake_case is its code', () => {
  expect([errors.slugTaken.code, errors.slugTaken.kind]).toEqual(['slug_taken', 'conflict']);
  expect(errors.tooManyTries.code).toBe('too_many_tries');
});

test('an error makes a refusal from its details', () => {
  const refusal = errors.slugTaken('tea');
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({
    code: 'slug_taken',
    kind: 'conflict',
    message: 'The slug tea belongs to another one.',
    fields: undefined,
    challenge: undefined,
    retryAfterSeconds: undefined,
  });
});

test('an error has an example of its refusal', () => {
  expect(errors.slugTaken.example().message).toBe('The slug mug belongs to another one.');
  expect(errors.away.example().message).toBe('It is away.');
});

test('a detail that is made from something needs an example of that', () => {
  const kind = 'conflict';
  expect(() => defineErrors({ slugTaken: { kind, detail: (slug: string) => slug } })).toThrow('needs an example');
});

test('a challenge is made from the same details', () => {
  expect(errors.badToken('It expired')).toMatchObject({
    message: 'It expired.',
    challenge: 'Bearer error_description="It expired"',
  });
});

test('the time to wait comes from the refusal, else from its error, else from its kind', () => {
  expect(errors.tooManyTries().with({ retryAfterSeconds: 4 }).retryAfterSeconds).toBe(4);
  expect(errors.tooManyTries().retryAfterSeconds).toBe(30);
  expect(errors.away().retryAfterSeconds).toBe(1);
});

test('with keeps what it is not given', () => {
  const fields = [bodyField('/a', 'b', 'c')];
  const { code, kind, challenge, message } = errors.badToken('It expired');
  expect(errors.badToken('It expired').with({ fields }).with({ retryAfterSeconds: 2 })).toMatchObject({
    code,
    kind,
    challenge,
    message,
    fields,
    retryAfterSeconds: 2,
  });
  expect(errors.tooManyTries().with({ fields }).retryAfterSeconds).toBe(30);
});

test('wrong fields are a validation_failed that names them all', () => {
  const fields = [bodyField('/phone', 'invalid_phone', 'is none'), bodyField('/city', 'too_small', 'is empty')];
  expect(invalidFields(fields)).toMatchObject({ code: 'validation_failed', kind: 'invalid', fields });
});

test('a detail that is left out has its default', () => {
  expect(notFound().message).toBe('There is no such resource.');
  expect(notFound('address').message).toBe('There is no such address.');
  expect(commonErrors.roleRequired().message).toBe('Only staff with one of these roles may do this.');
});

test('members of an error have a schema, and an example that fits it', () => {
  const spec = { kind: 'forbidden', detail: 'Wait.', members: z.object({ until: z.string() }) } as const;
  expect(() => defineErrors({ early: spec })).toThrow('needs exampleMembers');
  const { early } = defineErrors({ early: { ...spec, exampleMembers: { until: 'noon' } } });
  expect(early.example().members).toEqual({ until: 'noon' });
  expect(
    early()
      .with({ members: { until: 'night' } })
      .with({ retryAfterSeconds: 1 }).members,
  ).toEqual({ until: 'night' });
});
