import { randomUUID } from 'node:crypto';
import { eventRecordDays, type Fact } from '@storefront/contracts';
import { z } from 'zod';
import { defineCollection } from './define-collection.ts';
import { withEvents } from './fields.ts';
import { openRepository, type RepositoryNeeds } from './open-repository.ts';
import { byId } from './sharding.ts';

/** These documents serve only as outboxes: once its event is published, a note holds no personal data. */
export const auditNotes = defineCollection(
  'audit_notes',
  { ...withEvents, expiresAt: z.date() },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** Records actions in the audit log that change no document, such as an export. */
export interface AuditNotes {
  /** Resolves once the fact is stored. The fact is published like every other fact. */
  add(fact: Fact): Promise<void>;
}

const keptMs = eventRecordDays * 24 * 60 * 60 * 1000;

export function openAuditNotes(needs: RepositoryNeeds): AuditNotes {
  const repository = openRepository<{ readonly id: string; readonly expiresAt: Date }>(auditNotes, needs);
  return {
    async add(fact) {
      const expiresAt = new Date(needs.now().getTime() + keptMs);
      await repository.insertNew([{ state: { id: randomUUID(), expiresAt }, facts: [fact] }]);
    },
  };
}
