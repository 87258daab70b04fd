import { setTimeout as wait } from 'node:timers/promises';
import type mongoose from 'mongoose';
import { batchReads } from './batch-reads.ts';
import { batchWrites, type Write } from './batch-writes.ts';
import type { Collection, Filter } from './collections.ts';
import { ConflictError } from './errors.ts';
import { insertNew } from './insert-new.ts';
import type { Outbox } from './outbox.ts';
import { isTombstone, plan, recordEvents, toDocument, type Removal } from './planned-write.ts';
import { toLoaded } from './repository-reads.ts';
import type { Decide, Loaded, Repository } from './repository.ts';
import { inContextOfOwner } from './step-batches.ts';
import { finishedTombstone, type Stored } from './stored.ts';
import type { Transaction } from './transaction.ts';
import { openTurns } from './turns.ts';
import { assertMayWrite } from './write-fence.ts';

type Writes<State extends { readonly id: string }> = Pick<
  Repository<State>,
  'load' | 'change' | 'readAll' | 'changeAll' | 'insertNew' | 'eraseMany'
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
): Writes<State> {
  // Reads by id only, because then MongoDB does not have to plan a query.
  const find = batchReads(collection, { outbox: 0 });
  const save = batchWrites(collection);
  // Changes of one document that this process makes at the same time would only make each other start again.
  const inTurn = openTurns<Written<State>>();

  return {
    async load(id, transaction) {
      const found = await read(id, transaction);
      return found === null || isTombstone(found.state) ? null : found;
    },

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
      const unread = ids.filter((id) => !stored.has(id));
      for (const loaded of await readMany(unread, session)) stored.set(loaded.state.id, loaded);
      const planned = ids.map((id) =>
        inContextOfOwner(id, () => {
          const planOne = plan<State, ReturnType<typeof decide>['result']>(
            id,
            stored.get(id) ?? null,
            (state, version) => decide(id, state, version),
            outbox,
          );
          if (planOne.write) assertMayWrite();
          return planOne;
        }),
      );
      const writes = planned.flatMap(({ write }) => (write ? [toOperation(write)] : []));
      // The versions match here, because another change of these documents makes the whole transaction start again.
      if (writes.length > 0) await collection.bulkWrite(writes, { session });
      afterCommit(() => {
        for (const [place, { events, write }] of planned.entries())
          if (write) outbox?.publish(ids[place] ?? '', events);
        if (planned.some(({ write, events }) => write && leavesTombstone(write) && events.length === 0))
          outbox?.leftTombstone();
      });
      return planned.map(({ result, version }) => ({ result, version }));
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
    const assumed = left ?? known;
    const isRead = left !== undefined && left.sentAt >= requestedAt;
    for (let attempt = assumed === undefined ? 1 : 0; attempt <= maxAttempts; attempt += 1) {
      const planned =
        assumed !== undefined && attempt === 0
          ? planOfAssumed(id, assumed, decide, isRead)
          : plan(id, await read(id), decide, outbox);
      if (planned === null) continue;
      const { result, version, events, write, next } = planned;
      if (write === null) return { result: { result, version }, ...(left && attempt === 0 && { left }) };
      assertMayWrite();
      const sentAt = performance.now();
      if (await (isRemoval(write) ? remove(write) : save(write))) {
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

  /**
   * Returns null if the document must be read: without `isRead`, only a successful write proves that the assumed state is
   * up to date, so a decision to write nothing, or to refuse, does not count.
   */
  function planOfAssumed<Result>(
    id: string,
    assumed: Loaded<State> | null,
    decide: Decide<State, Result>,
    isRead: boolean,
  ) {
    if (isRead) return plan(id, assumed, decide, outbox);
    try {
      const planned = plan(id, assumed, decide, outbox);
      return planned.write === null ? null : planned;
    } catch {
      return null;
    }
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
