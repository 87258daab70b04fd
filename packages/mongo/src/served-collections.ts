import { auditNotes } from './audit-notes.ts';
import type { CollectionDefinition } from './define-collection.ts';
import { idempotencyKeyCounts, idempotencyKeys } from './idempotency-keys.ts';
import { instances } from './leases.ts';

/** The collections of every service that is served by `@storefront/service`, besides its own. */
export const servedCollections: readonly CollectionDefinition[] = [
  instances,
  idempotencyKeys,
  idempotencyKeyCounts,
  auditNotes,
];
