import { setTimeout as wait } from 'node:timers/promises';
import type mongoose from 'mongoose';
import { batchReads } from './batch-reads.ts';
import { batchWrites, type Write } from './batch-writes.ts';
import type { Collection, Filter } from './collections.ts';
import { ConflictError, OutOfDateError } from './errors.ts';
import { insertNew } from './insert-new.ts';
import type { Outbox } from './outbox.ts';
import { isTombstone, plan, recordEvents, toDocument, type Planned, type Removal } from './planned-write.ts';
import type { WrittenStates } from './remember-writes.ts';
import { toLoaded } from './repository-reads.ts';
import type { Decide, Loaded, Repository } from './repository.ts';
import { inContextOfOwner } from './step-batches.ts';
import { finishedTombstone, type Stored } from './stored.ts';
import type { Transaction } from './transaction.ts';
import { openTurns } from './turns.ts';
import { assertMayWrite } from './write-fence.ts';

type Writes<State extends { readonly id: string }> = Pick<
  Repository<State>,
  'load' | 'latest' | 'change' | 'readAll' | 'changeAll' | 'insertNew' | 'eraseMany'
>;

/** A state that a change wrote. `sentAt` is the time before the write, by this process's own clock. */
interface Written<State> extends Loaded<State> {
  readonly sentAt: number;
}

/** The result of a change, and the state that it leaves to the next one; without a state if the next one must read. */
interface Changed<State, Result> {
  readonly result: { readonly result: Result; readonly version: number };
  readonly left?: Written<State>;
}

/** What a change may begin with instead of a read: what the change before has left, or what the caller knows. */
interface From<State> {
  readonly left: Written<State> | undefined;
  readonly known: Loaded<State> | null | undefined;
  /** By this process's own clock. */
  readonly requestedAt: number;
}

const maxAttempts = 200;

/**
 * Creates the writes of a repository, and the read by id with which they begin. `outbox` is null if the repository has
 * no events.
 */
export function createWrites<State extends { readonly id: string }>(
  collection: Collection<Stored>,
  outbox: Outbox | null,
  written: WrittenStates<State>,
): Writes<State> {
  // Reads by id only, because then MongoDB does not have to plan a query.
  const find = batchReads(collection, { outbox: 0 });
  const save = batchWrites(collection);
  // Changes of one document that this process makes at the same time would only make each other start again.
  const inTurn = openTurns<Written<State>>();

  async function load(id: string, transaction?: Transaction): Promise<Loaded<State> | null> {
    const found = await read(id, transaction);
    return found === null || isTombstone(found.state) ? null : found;
  }

  return {
    load,
    latest: async (id, transaction) =>
      (transaction ? written.take(id) : written.get(id)) ?? (await load(id, transaction)),

    change(id, decide, known) {
      const requestedAt = performance.now();
      return inTurn(id, (left) => change(id, decide, { left, known, requestedAt }));
    },

    async readAll({ session }, ids) {
      const found = new Map<string, Loaded<State> | null>(ids.map((id) => [id, null]));
      for (const loaded of await readMany(ids, session))
        if (isTombstone(loaded.state)) found.delete(loaded.state.id);
        else found.set(loaded.state.id, loaded);
      return found;
    },

    async changeAll({ session, afterCommit }, ids, decide, known = []) {
      const stored = new Map(known);
      const planned = new Map<string, Planned<State, ReturnType<typeof decide>['result']>>();
      const planOf = (id: string, current: Loaded<State> | null) =>
        inContextOfOwner(id, () => plan(id, current, (state, version) => decide(id, state, version), outbox));
      for (const id of ids) {
        const assumed = stored.has(id) ? undefined : written.take(id);
        const proven = assumed && unlessUnproven(() => planOf(id, assumed));
        if (proven) planned.set(id, proven);
      }
      const unread = ids.filter((id) => !stored.has(id) && !planned.has(id));
      for (const loaded of await readMany(unread, session)) stored.set(loaded.state.id, loaded);
      for (const id of ids) if (!planned.has(id)) planned.set(id, planOf(id, stored.get(id) ?? null));
      const all = ids.flatMap((id) => planned.get(id) ?? []);
      const writes = all.flatMap(({ write }) => (write ? [toOperation(write)] : []));
      if (writes.length > 0) {
        for (const id of ids) if (planned.get(id)?.write) inContextOfOwner(id, assertMayWrite);
        // What the transaction has read has this version still, because another change of these documents makes it start
        // again. Only what was remembered may have another one. It is forgotten by now, so that the next attempt reads.
        const done = await collection.bulkWrite(writes, { session });
        if (done.insertedCount + done.matchedCount + done.deletedCount < writes.length) throw new OutOfDateError();
      }
      afterCommit(() => {
        for (const [id, { events, write, next, version }] of planned) {
          if (!write) continue;
          outbox?.publish(id, events);
          if (next) written.set(id, { state: next, version });
        }
        if (all.some(({ write, events }) => write && leavesTombstone(write) && events.length === 0))
          outbox?.leftTombstone();
      });
      return all.map(({ result, version }) => ({ result, version }));
    },

    async insertNew(added) {
      if (added.length === 0) return new Set();
      const documents = added.map(({ state, facts, sequence = 1 }) => {
        const events = recordEvents(outbox, state.id, facts, sequence);
        return toDocument(state, outbox && events);
      });
      assertMayWrite();
      const isNew = await insertNew(collection, documents);
      const inserted = documents.filter((_document, index) => isNew[index]);
      for (const { _id, outbox: events } of inserted) outbox?.publish(_id, events);
      return new Set(inserted.map(({ _id }) => _id));
    },

    async eraseMany(filter) {
      assertMayWrite();
      const matching = filter as Filter<Stored>;
      if (!outbox) {
        await collection.deleteMany(matching);
        return;
      }
      const version = { $add: ['$version', 1] };
      const tombstone = { _id: '$_id', version, outbox: '$outbox', deletedAt: outbox.now() };
      await collection.updateMany(matching, [{ $replaceWith: tombstone }]);
      await collection.deleteMany(finishedTombstone);
    },
  };

  async function change<Result>(
    id: string,
    decide: Decide<State, Result>,
    { left, known, requestedAt }: From<State>,
  ): Promise<Changed<State, Result>> {
    // What the change before has just written is newer than what the caller knows. If it was written after this change
    // was requested, it is as good as a read.
    const assumed = left ?? (known === undefined ? written.get(id) : known);
    const isRead = left !== undefined && left.sentAt >= requestedAt;
    for (let attempt = assumed === undefined ? 1 : 0; attempt <= maxAttempts; attempt += 1) {
      const isAssumed = assumed !== undefined && attempt === 0;
      const current = isAssumed ? assumed : await read(id);
      const planNow = () => plan(id, current, decide, outbox);
      const planned = isAssumed && !isRead ? unlessUnproven(planNow) : planNow();
      if (planned === null) continue;
      const { result, version, events, write, next } = planned;
      if (write === null) return { result: { result, version }, ...(left && attempt === 0 && { left }) };
      assertMayWrite();
      const sentAt = performance.now();
      written.forget(id);
      if (await (isRemoval(write) ? remove(write) : save(write))) {
        if (next) written.set(id, { state: next, version });
        outbox?.publish(id, events);
        // Without an event the tombstone may have nothing to wait for, so it can be deleted at once.
        if (leavesTombstone(write) && events.length === 0)
          await collection.deleteOne({ _id: id, version, ...finishedTombstone });
        return { result: { result, version }, ...(next && { left: { state: next, version, sentAt } }) };
      }
      // The pauses get longer, so that fifty instances can change a document at once and all succeed.
      await wait(Math.random() * Math.min(5 * attempt, 100));
    }
    throw new ConflictError(
      `${collection.collectionName} ${id} changed ${maxAttempts} times while it was being changed`,
    );
  }

  async function read(id: string, transaction?: Transaction): Promise<Loaded<State> | null> {
    const document = transaction
      ? await collection.findOne({ _id: id }, { projection: { outbox: 0 }, session: transaction.session })
      : await find(id);
    return document && toLoaded<State>(document);
  }

  async function readMany(ids: readonly string[], session: Transaction['session']): Promise<Loaded<State>[]> {
    if (ids.length === 0) return [];
    const documents = collection.find({ _id: { $in: [...ids] } }, { projection: { outbox: 0 }, session });
    return (await documents.toArray()).map((document) => toLoaded<State>(document));
  }

  async function remove({ remove: filter }: Removal): Promise<boolean> {
    return (await collection.deleteOne(filter)).deletedCount === 1;
  }
}

/**
 * Returns null if the document must be read. Only a successful write proves that an assumed state is up to date, so a
 * decision to write nothing, or to refuse, does not count.
 */
function unlessUnproven<Plan extends { readonly write: unknown }>(planAssumed: () => Plan): Plan | null {
  try {
    const planned = planAssumed();
    return planned.write === null ? null : planned;
  } catch {
    return null;
  }
}

function isRemoval(write: Write | Removal): write is Removal {
  return 'remove' in write;
}

function leavesTombstone(write: Write | Removal): boolean {
  return 'update' in write && 'deletedAt' in (write.update.$set ?? {});
}

function toOperation(write: Write | Removal): mongoose.mongo.AnyBulkWriteOperation<Stored> {
  if ('remove' in write) return { deleteOne: { filter: write.remove } };
  return 'insert' in write ? { insertOne: { document: write.insert } } : { updateOne: write };
}
