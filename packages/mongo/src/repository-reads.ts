import type { Slice } from '@storefront/contracts';
import type { Collection, Filter } from './collections.ts';
import { allOf, readPage, type Order } from './paging.ts';
import type { Loaded, ReadOptions, Repository } from './repository.ts';
import { living, type Stored } from './stored.ts';

type Reads<State extends { readonly id: string }> = Pick<Repository<State>, 'find' | 'findOne' | 'page' | 'count'>;
type Options = ReadOptions<PropertyKey, PropertyKey>;

/** Creates the reads of a repository, except the read by id. */
export function createReads<State extends { readonly id: string }>(collection: Collection<Stored>): Reads<State> {
  const reads = {
    async find(filter: object, { order, limit, ...options }: Options & { order?: Order; limit?: number } = {}) {
      const cursor = collection.find<Stored>(alive(filter), {
        projection: projectionOf(options),
        ...driverOptions(options),
      });
      if (order) cursor.sort({ ...order });
      if (limit !== undefined) cursor.limit(limit);
      return (await cursor.toArray()).map(toLoaded);
    },
    async findOne(filter: object, options: Options = {}) {
      const document = await collection.findOne<Stored>(alive(filter), {
        projection: projectionOf(options),
        ...driverOptions(options),
      });
      return document && toLoaded(document);
    },
    page({ filter = {}, order, slice, ...options }: Options & { filter?: object; order: Order; slice: Slice }) {
      const projection = projectionOf(options, order);
      return readPage(collection, { ...options, filter: alive(filter), order, slice, projection }, toLoaded);
    },
    count(filter: object, { limit, ...options }: Options & { limit?: number } = {}) {
      return collection.countDocuments(alive(filter), {
        ...(limit === undefined ? {} : { limit }),
        ...driverOptions(options),
      });
    },
  };
  // The options decide which fields a state has. No implementation can express that in types, so this cast is needed.
  return reads as unknown as Reads<State>;
}

/** Returns the state of a document and its version. */
export function toLoaded<State>({ _id, version, outbox: _outbox, ...fields }: Stored): Loaded<State> {
  return { state: { id: _id, ...fields } as State, version };
}

function alive(filter: object): Filter<Stored> {
  return allOf(filter, living);
}

function driverOptions({ hint, transaction }: Options) {
  return {
    ...(hint === undefined ? {} : { hint }),
    ...(transaction === undefined ? {} : { session: transaction.session }),
  };
}

function projectionOf({ fields, without = [] }: Options, order: Order = {}): Record<string, 0 | 1> {
  // The page's last position needs the fields of the order.
  const isOrdered = (field: PropertyKey) => Object.hasOwn(order, field);
  if (!fields)
    return Object.fromEntries(['outbox', ...without.filter((field) => !isOrdered(field))].map((field) => [field, 0]));
  // MongoDB does not accept a path together with its parent.
  const ordered = Object.keys(order).filter((path) => !fields.includes(path.split('.')[0] ?? ''));
  return Object.fromEntries(['version', ...fields, ...ordered].map((field) => [field, 1]));
}
