import { auditNotes } from './audit-notes.ts';
import type { CollectionDefinition } from './define-collection.ts';
import { idempotencyKeyCounts, idempotencyKeys } from './idempotency-keys.ts';
import { instances } from './leases.ts';

/** The collections that `@storefront/service` adds to each service's own collections. */
export const servedCollections: readonly CollectionDefinition[] = [
  instances,
  idempotencyKeys,
  idempotencyKeyCounts,
  auditNotes,
];
