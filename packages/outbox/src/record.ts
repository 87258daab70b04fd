import { isDeepStrictEqual } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { toEvent } from '@storefront/contracts';
import type { Event, Fact } from '@storefront/contracts';
import { currentCause } from '@storefront/messaging';
import type mongoose from 'mongoose';
import type { Decision } from './decision.ts';
import { gatherReads } from './gather-reads.ts';
import { gatherWrites } from './gather-writes.ts';
import type { Write } from './gather-writes.ts';
import type { Relay } from './relay.ts';
import type { Stored } from './stored.ts';
import type { Transaction } from './transaction.ts';

export type { Decision };

/** A change lost every race for so long that it gave up; nothing was written. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/** A state and its version. */
export interface Loaded<State> {
  readonly state: State;
  readonly version: number;
}

export interface Aggregates<State extends { readonly id: string }> {
  load(id: string): Promise<Loaded<State> | null>;
  /**
   * Loads, lets `decide` decide, and saves the new state together with its events in one atomic write. Where somebody
   * else was faster it starts again, so `decide` may run several times and must have no effect of its own.
   * What `decide` throws passes through, and nothing is written. `version` is 0 where there is no such aggregate yet.
   * Whoever has just changed it may say what is `known`, or null where it is most likely new; that saves a read where it
   * holds, and costs a write where it does not.
   */
  change<Result>(
    id: string,
    decide: (current: State | null, version: number) => Decision<State, Result>,
    known?: Loaded<State> | null,
  ): Promise<{ result: Result; version: number }>;
  /**
   * The same for several aggregates within a transaction: they are loaded at once and written at once. What it answers
   * stands in the order of `ids`, and holds once the transaction is committed.
   */
  changeAll<Result>(
    transaction: Transaction,
    ids: readonly string[],
    decide: (id: string, current: State | null, version: number) => Decision<State, Result>,
  ): Promise<{ result: Result; version: number }[]>;
}

const maxAttempts = 200;

/** Aggregates of one collection, a document each. */
export function createAggregates<State extends { readonly id: string }>(options: {
  collection: mongoose.mongo.Collection<any>;
  relay: Pick<Relay, 'watch' | 'nudge'>;
  now: () => Date;
}): Aggregates<State> {
  const collection = options.collection as mongoose.mongo.Collection<Stored>;
  options.relay.watch(collection);
  // Asked for by nothing but their ids: MongoDB then goes straight to the documents, without planning a query.
  const find = gatherReads(collection, { outbox: 0 });
  const save = gatherWrites(collection);

  async function read(id: string): Promise<Loaded<State> | null> {
    const document = await find(id);
    return document && { state: toState<State>(document), version: document.version };
  }

  return {
    async load(id) {
      const found = await read(id);
      return found === null || isTombstone(found.state) ? null : found;
    },

    async change(id, decide, known) {
      for (let attempt = known === undefined ? 1 : 0; attempt <= maxAttempts; attempt += 1) {
        const current = attempt === 0 && known !== undefined ? known : await read(id);
        const living = current !== null && !isTombstone(current.state) ? current : null;
        const decision = decide(living?.state ?? null, living?.version ?? 0);
        if (decision.kind === 'unchanged') {
          // Only a write says that what was known still holds.
          if (attempt === 0) continue;
          return { result: decision.result, version: current?.version ?? 0 };
        }

        const version = (current?.version ?? 0) + 1;
        const events = envelopes(decision.facts, version);
        const write = writeOf(id, current, version, decision, events);
        if (write === null) return { result: decision.result, version };
        if (await save(write)) {
          if (events.length > 0) options.relay.nudge(collection, id, events);
          // Without an event there is nothing to wait for.
          else if (decision.kind === 'deleted') await collection.deleteOne({ _id: id, version, outbox: { $size: 0 } });
          return { result: decision.result, version };
        }
        // The more often it lost, the longer it steps aside: fifty at once then still all come through.
        await wait(Math.random() * Math.min(5 * attempt, 100));
      }
      throw new ConflictError(
        `${collection.collectionName} ${id} changed ${maxAttempts} times while it was being changed`,
      );
    },

    async changeAll({ session, afterCommit }, ids, decide) {
      const documents = await collection.find({ _id: { $in: [...ids] } }, { session }).toArray();
      const stored = new Map(documents.map((document) => [document._id, document]));
      const writes: mongoose.mongo.AnyBulkWriteOperation<Stored>[] = [];
      const answers = ids.map((id) => {
        const document = stored.get(id);
        const current = document ? { state: toState<State>(document), version: document.version } : null;
        const living = current !== null && !isTombstone(current.state) ? current : null;
        const decision = decide(id, living?.state ?? null, living?.version ?? 0);
        if (decision.kind === 'unchanged') return { result: decision.result, version: current?.version ?? 0 };
        const version = (current?.version ?? 0) + 1;
        const events = envelopes(decision.facts, version);
        const write = writeOf(id, current, version, decision, events);
        if (write) writes.push('insert' in write ? { insertOne: { document: write.insert } } : { updateOne: write });
        if (events.length > 0) afterCommit(() => options.relay.nudge(collection, id, events));
        return { result: decision.result, version };
      });
      // No version can be missed here: whoever changed one of them since makes the transaction start again.
      if (writes.length > 0) await collection.bulkWrite(writes, { session });
      return answers;
    },
  };

  function envelopes(facts: readonly Fact[], sequence: number): Event[] {
    const at = { sequence, time: options.now(), cause: currentCause() };
    return facts.map((fact) => toEvent(fact, at));
  }

  function writeOf(
    id: string,
    current: Loaded<State> | null,
    version: number,
    decision: Change<State>,
    events: Event[],
  ): Write | null {
    if (decision.kind === 'deleted') {
      if (current === null) return null;
      return {
        filter: { _id: id, version: current.version },
        update: { $set: { version, deletedAt: options.now() }, $push: { outbox: { $each: events } } },
      };
    }
    const { id: _id, ...fields } = decision.state;
    if (current === null) return { insert: { ...fields, _id: id, version, outbox: events } };
    const { set, unset } = difference(current.state, fields);
    return {
      filter: { _id: id, version: current.version },
      update: {
        $set: { ...set, version },
        ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
        // Pushed, not set: what the relay pulls meanwhile stays pulled.
        ...(events.length > 0 ? { $push: { outbox: { $each: events } } } : {}),
      },
    };
  }
}

type Change<State> = Exclude<Decision<State, unknown>, { kind: 'unchanged' }>;
function isTombstone(state: object): boolean {
  return 'deletedAt' in state && state.deletedAt !== undefined;
}

function toState<State>(document: Stored): State {
  const { _id, version: _version, outbox: _outbox, ...fields } = document;
  return { id: _id, ...fields } as State;
}

// Only the fields that changed are written: a small change of a large document stays a small write.
function difference(
  before: object,
  after: Record<string, unknown>,
): { set: Record<string, unknown>; unset: Record<string, ''> } {
  const set: Record<string, unknown> = {};
  const unset: Record<string, ''> = {};
  const old = before as Record<string, unknown>;
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) {
      if (old[key] !== undefined) unset[key] = '';
    } else if (!isDeepStrictEqual(old[key], value)) set[key] = value;
  }
  for (const key of Object.keys(old)) if (key !== 'id' && !(key in after)) unset[key] = '';
  return { set, unset };
}
