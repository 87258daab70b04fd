import type { ErrorKind, Refusal } from '@storefront/contracts';

// Refusals of the person or of their request. The others say that there is nothing of that id, or that the system is busy.
const worthNoting = new Set<ErrorKind>(['unauthenticated', 'forbidden', 'invalid', 'conflict', 'rule', 'throttled']);

export function isWorthNoting({ kind }: Refusal): boolean {
  return worthNoting.has(kind);
}

/** Why something was refused: the code of the error, or of the first wrong field. It holds nothing that was entered. */
export function reasonOf({ code, fields }: Refusal): string {
  return fields?.[0]?.code ?? code;
}
