import { newId, Refusal, type AuditRecord } from '@storefront/contracts';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { isWorthNoting, reasonOf } from '../domain/refused.ts';
import { recordEntry, type RecordEntryNeeds } from './record-entry.ts';

/**
 * Records actions that change no document with an outbox. If an action changes such a document, state the action as a
 * fact in the same write instead: `withFacts(decision, audited('identity', actor, …))`.
 */
export interface AuditLog {
  /** Writes an entry; resolves once it is stored. */
  record(entry: AuditRecord): Promise<void>;
  /**
   * Writes an entry in the background, so that the duration of a refusal does not show whether an entry is written. If
   * the process is killed, the entries of the last moment may be missing.
   */
  note(entry: AuditRecord): void;
  /**
   * Runs `work`. If `work` throws a refusal, notes the entry that `entryOf` makes from the reason, and throws the
   * refusal again.
   */
  notingRefusal<Result>(work: () => Promise<Result>, entryOf: (reason: string) => AuditRecord): Promise<Result>;
  /** Waits until all noted entries are stored. */
  close(): Promise<void>;
}

interface Needs extends RecordEntryNeeds {
  readonly logger: Logger;
  readonly now: () => Date;
}

// A limit, so that waiting entries do not fill the memory while the database is slow.
const mostWaiting = 1000;
const atOnce = 4;

export function createAuditLog(needs: Needs): AuditLog {
  const limit = pLimit(atOnce);
  const waiting = new Set<Promise<void>>();
  const write = (record: AuditRecord) => recordEntry(needs, { id: newId('aud'), at: needs.now(), record });

  function note(record: AuditRecord): void {
    if (waiting.size >= mostWaiting) {
      needs.logger.warn({ action: record.action }, 'an audit entry was left out: too many are waiting');
      return;
    }
    const noted: Promise<void> = limit(() => write(record))
      .catch((error: unknown) => needs.logger.error({ err: error, action: record.action }, 'no audit entry'))
      .finally(() => waiting.delete(noted));
    waiting.add(noted);
  }

  return {
    record: write,
    note,
    async notingRefusal(work, entryOf) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Refusal && isWorthNoting(error)) note(entryOf(reasonOf(error)));
        throw error;
      }
    },
    async close() {
      await Promise.all(waiting);
    },
  };
}
