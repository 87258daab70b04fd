import { toEvent } from '@storefront/contracts';
import { currentCause } from '@storefront/messaging';
import type { Stored } from '@storefront/outbox';
import type { Parts } from '@storefront/service-kit';
import mongoose from 'mongoose';
import type { Alert } from '../domain/alert.ts';
import type { Collections, StoredAlert } from './collections.ts';

const duplicateKey = 11_000;

/** Writes alerts with their events; those that were raised before stay as they are and are not told again. */
export function createAlerts({ alerts }: Collections, { relay, now }: Pick<Parts, 'relay' | 'now'>) {
  return async function raise(raised: readonly Alert[]): Promise<void> {
    if (raised.length === 0) return;
    const at = now();
    const documents = raised.map(({ id, sequence, fact }): StoredAlert => {
      const event = toEvent(fact, { sequence, time: at, cause: currentCause() });
      return { _id: id, version: 1, outbox: [event], raisedAt: at };
    });
    const known = await insert(documents);
    for (const [index, { _id, outbox }] of documents.entries()) {
      if (!known.has(index)) relay.nudge(alerts as unknown as mongoose.mongo.Collection<Stored>, _id, outbox);
    }
  };

  /** The places of those that were there already. */
  async function insert(documents: StoredAlert[]): Promise<Set<number>> {
    try {
      await alerts.insertMany(documents, { ordered: false });
      return new Set();
    } catch (error) {
      if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error;
      const failures = [error.writeErrors].flat();
      if (failures.length === 0 || failures.some(({ code }) => code !== duplicateKey)) throw error;
      return new Set(failures.map(({ index }) => index));
    }
  }
}
