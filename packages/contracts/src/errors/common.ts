import { z } from 'zod';
import type { FieldError } from '../problem.ts';
import { scopes } from '../scope.ts';
import { staffRoles } from '../staff.ts';
import { defineErrors, type Refusal } from './refusal.ts';

/** The errors that operations of every service share, and those of the gateway. */
export const commonErrors = defineErrors({
  validationFailed: {
    kind: 'invalid',
    detail: (why = 'The request has fields that are not valid.') => why,
    exampleFields: [{ pointer: '/email', in: 'body', code: 'required', message: 'This field is required.' }],
  },
  invalidCursor: {
    kind: 'invalid',
    detail: 'The cursor is not one that this list gave you.',
    exampleFields: [
      {
        pointer: '/cursor',
        in: 'query',
        code: 'invalid_cursor',
        message: 'Take it unchanged from nextCursor, or leave it out.',
      },
    ],
  },
  malformedRequest: { kind: 'invalid', detail: (why = 'The request could not be read.') => why },
  /** Thrown if the bytes are not valid text. They would be stored as other characters than the client sent. */
  invalidEncoding: { kind: 'invalid', detail: (what = 'body') => `The ${what} is not text in UTF-8.` },
  authenticationRequired: { kind: 'unauthenticated', challenge: 'Bearer', detail: 'Log in and send the access token.' },
  /**
   * `why` is a sentence without its full stop, such as `The access token expired`. It is also part of the challenge.
   */
  invalidToken: {
    kind: 'unauthenticated',
    detail: (why: string) => `${why}.`,
    challenge: (why: string) => `Bearer error="invalid_token", error_description="${why}"`,
    example: ['The access token expired'],
  },
  /** Made by `roleRefusal`, which states the roles. */
  roleRequired: {
    kind: 'forbidden',
    detail: (why = 'Only staff with one of these roles may do this.') => why,
    members: z.object({ roles: z.array(z.enum(staffRoles)).meta({ description: 'The roles that may.' }) }),
    exampleMembers: { roles: ['admin', 'catalog'] },
  },
  /** Made by `scopeRefusal`, which states the scope. */
  scopeRequired: {
    kind: 'forbidden',
    detail: (why = 'API tokens may not do this.') => why,
    members: z.object({
      scope: z.enum(scopes).nullable().meta({ description: 'The scope that may; null where no API token may.' }),
    }),
    exampleMembers: { scope: 'catalog:write' },
  },
  /** Thrown for operations that act on a cookie, so that no page elsewhere can use it. */
  otherOrigin: { kind: 'forbidden', detail: 'Only pages of the same origin as the API may do this.' },
  tradeAccountRequired: { kind: 'forbidden', detail: 'Only a trade account may do this.' },
  /**
   * Thrown if the session is limited, such as that of a trade applicant who has to add something to the application.
   */
  sessionLimited: { kind: 'forbidden', detail: 'This session may not do this: it is for one purpose only.' },
  gatewayOnly: { kind: 'forbidden', detail: 'This service is reached through the gateway.' },
  /** Thrown if something does not exist or belongs to another user. Both cases get the same answer. */
  notFound: { kind: 'absent', detail: (what = 'resource') => `There is no such ${what}.` },
  routeNotFound: { kind: 'absent', detail: 'There is no such route.' },
  methodNotAllowed: { kind: 'method', detail: (why = 'This route does not take that method.') => why },
  requestTimeout: { kind: 'slow', detail: 'The request took too long to arrive.' },
  idempotencyInProgress: {
    kind: 'conflict',
    detail: 'The first request under this key is still being worked on.',
    retryAfterSeconds: 1,
  },
  /**
   * A long first answer is not stored. A repeated request makes it again from the created resource, which has been
   * deleted.
   */
  resultDeleted: {
    kind: 'absent',
    detail: 'The first request under this key was carried out; what it made has been deleted since.',
  },
  tooManyIdempotencyKeys: {
    kind: 'throttled',
    detail: 'You have used too many Idempotency-Keys today.',
    retryAfterSeconds: 3600,
  },
  versionMismatch: { kind: 'stale', detail: 'The resource has changed since you read it: read it again.' },
  bodyTooLarge: { kind: 'too-large', detail: 'The body is larger than this route takes.' },
  unsupportedMediaType: { kind: 'media-type', detail: (how = 'as application/json') => `Send the body ${how}.` },
  idempotencyKeyReused: { kind: 'rule', detail: 'This Idempotency-Key was used with another request.' },
  rateLimited: { kind: 'throttled', detail: 'Too many requests: wait before the next one.' },
  tooManyAtOnce: {
    kind: 'throttled',
    detail: 'Too many of your requests are under way at once: wait until some are answered.',
    retryAfterSeconds: 1,
  },
  headersTooLarge: { kind: 'headers-too-large', detail: 'The headers are larger than allowed.' },
  internalError: {
    kind: 'internal',
    detail: 'Something went wrong here; it has been logged under the request id.',
  },
  overloaded: { kind: 'unavailable', detail: 'Too busy to take this request now.' },
  databaseUnavailable: { kind: 'unavailable', detail: 'The database is away for the moment.' },
  brokerUnavailable: { kind: 'unavailable', detail: 'The message broker is away for the moment.' },
  outboxFull: {
    kind: 'unavailable',
    detail: 'Too many events about this are not published yet: try again in a while.',
    retryAfterSeconds: 10,
  },
  documentTooLarge: { kind: 'too-large', detail: 'What there would be to keep is larger than the database takes.' },
  tooManyChanges: { kind: 'unavailable', detail: 'Others kept changing the same thing meanwhile: try again.' },
  serviceUnavailable: { kind: 'unavailable', detail: 'The service that answers this is away for the moment.' },
  upstreamTimeout: {
    kind: 'unavailable',
    detail: 'The service did not answer in time; whether it did the work is not known.',
  },
  keysUnavailable: { kind: 'unavailable', detail: "Access tokens can't be checked for the moment." },
  revocationUnknown: {
    kind: 'unavailable',
    detail: "Whether this token is still valid can't be checked at the moment.",
  },
});

/**
 * The error 404 for something that does not exist or belongs to another user. `what` is its kind, such as `address`.
 */
export const { notFound } = commonErrors;

/** Makes the refusal of a request with wrong fields. `fields` lists every wrong field. */
export function invalidFields(fields: readonly FieldError[]): Refusal {
  return commonErrors.validationFailed().with({ fields });
}

/** A wrong field of the body, for checks that the schema can't do. `pointer` is an RFC 6901 pointer to the field. */
export function bodyField(pointer: string, code: string, message: string): FieldError {
  return { pointer, in: 'body', code, message };
}

/** The error of an address to which the shop lets no payment lead back. */
export function returnUrlNotAllowed(): FieldError {
  return bodyField(
    '/returnUrl',
    'not_allowed',
    'is not an address to which the shop lets a payment lead back (RETURN_URLS)',
  );
}
