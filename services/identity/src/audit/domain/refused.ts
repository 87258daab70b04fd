import type { ErrorKind, Refusal } from '@storefront/contracts';

// Errors of these kinds refuse the person or the request. Other errors say that an object does not exist, or that the
// system is busy.
const worthNoting = new Set<ErrorKind>(['unauthenticated', 'forbidden', 'invalid', 'conflict', 'rule', 'throttled']);

export function isWorthNoting({ kind }: Refusal): boolean {
  return worthNoting.has(kind);
}

/** The code of the error, or of the first wrong field. The code contains nothing that the user has entered. */
export function reasonOf({ code, fields }: Refusal): string {
  return fields?.[0]?.code ?? code;
}
