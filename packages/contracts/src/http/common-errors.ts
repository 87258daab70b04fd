import { commonErrors } from '../errors/common.ts';
import type { DeclaredError } from '../errors/refusal.ts';
import { limitedRoles, takesIfMatch, type OperationSpec } from './operation.ts';

/**
 * All errors that the operation can answer: its own, and those of every operation of its kind. Each code appears once.
 */
export function errorsOf(spec: OperationSpec): readonly DeclaredError[] {
  const all = [
    ...fromConnection,
    ...fromAccess(spec),
    ...fromRequest(spec),
    ...(spec.errors ?? []),
    ...fromService(spec),
  ];
  return [...new Map(all.map((error) => [error.code, error])).values()];
}

const fromConnection: readonly DeclaredError[] = [
  commonErrors.malformedRequest,
  commonErrors.invalidEncoding,
  commonErrors.requestTimeout,
  commonErrors.headersTooLarge,
];

function fromAccess({ access, gateway, alsoFor = [], budget, sameOrigin }: OperationSpec): readonly DeclaredError[] {
  if (gateway) return [];
  if (access === 'system') return [commonErrors.gatewayOnly];
  const isForAllSessions = limitedRoles.every((role) => alsoFor.includes(role));
  return [
    // Public operations ignore a token that is not valid.
    ...(access === 'public' ? [] : [commonErrors.authenticationRequired, commonErrors.invalidToken]),
    ...(access === 'public' || isForAllSessions ? [] : [commonErrors.sessionLimited]),
    commonErrors.scopeRequired,
    ...(sameOrigin ? [commonErrors.otherOrigin] : []),
    commonErrors.keysUnavailable,
    commonErrors.revocationUnknown,
    ...(access === 'admin' || access === 'staff' ? [commonErrors.roleRequired] : []),
    ...(access === 'trade' ? [commonErrors.tradeAccountRequired] : []),
    ...(budget === 'ending' ? [] : [commonErrors.rateLimited, commonErrors.tooManyAtOnce]),
  ];
}

function fromRequest(spec: OperationSpec): readonly DeclaredError[] {
  const { method, params, query, headers, body, idempotent } = spec;
  return [
    ...(body || query || headers || idempotent ? [commonErrors.validationFailed] : []),
    ...(query && 'cursor' in query.shape ? [commonErrors.invalidCursor] : []),
    // `not_found` is also the answer to an id that is not well formed, because nothing can have such an id.
    ...(params ? [commonErrors.notFound] : []),
    ...(idempotent ? [commonErrors.idempotencyInProgress, commonErrors.idempotencyKeyReused] : []),
    ...(idempotent && spec.access !== 'public'
      ? [commonErrors.resultDeleted, commonErrors.tooManyIdempotencyKeys]
      : []),
    ...(takesIfMatch(spec) ? [commonErrors.versionMismatch] : []),
    // Operations without a body can answer these errors too: if a client sends a body anyway, the body is read.
    ...(method === 'GET' ? [] : [commonErrors.bodyTooLarge, commonErrors.unsupportedMediaType]),
  ];
}

function fromService({ method, access, gateway }: OperationSpec): readonly DeclaredError[] {
  if (gateway) return [commonErrors.internalError];
  return [
    commonErrors.overloaded,
    commonErrors.databaseUnavailable,
    ...(method === 'GET' ? [] : [commonErrors.tooManyChanges, commonErrors.outboxFull, commonErrors.documentTooLarge]),
    ...(access === 'system' ? [] : [commonErrors.serviceUnavailable, commonErrors.upstreamTimeout]),
    commonErrors.internalError,
  ];
}
