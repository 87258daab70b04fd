import type { ReadonlyDeep, Sharding } from '@storefront/contracts';
import type mongoose from 'mongoose';
import { z } from 'zod';
import type { Fields } from './fields.ts';
import { mongooseSchemaOf } from './mongoose-schema.ts';

/** For types only: the documents that the collection accepts, and the fields that they may have. */
declare const accepts: unique symbol;

interface BaseDefinition {
  readonly name: string;
  /** Its `indexes()` are the collection's indexes; each index has its name in its options. */
  readonly schema: mongoose.Schema;
  /** Whether the documents have an outbox. */
  readonly hasOutbox: boolean;
  /** How a sharded cluster spreads the documents. */
  readonly sharding: Sharding;
}

/** One collection: its name, the schema of its documents, and its indexes. */
export interface CollectionDefinition<Document = any, Index extends string = string> extends BaseDefinition {
  readonly [accepts]?: (document: ReadonlyDeep<Document>, field: keyof Document) => void;
  /** For types only. */
  readonly documentType?: Document;
  /** For types only. */
  readonly indexNames?: Index;
}

/** The type of a stored document. */
export type DocumentOf<Definition extends CollectionDefinition> = NonNullable<Definition['documentType']>;

/** The names of the collection's indexes, for hints. */
export type IndexOf<Definition extends CollectionDefinition> = NonNullable<Definition['indexNames']>;

/** A definition that has, for each field of `Document`, a field of the right type. */
export interface DefinitionFor<Document> extends BaseDefinition {
  readonly [accepts]?: (document: Document, field: keyof Document) => void;
}

/** The keys of an index, and MongoDB's options for it. */
export type IndexDefinition = { readonly keys: Readonly<Record<string, 1 | -1>> } & Pick<
  mongoose.mongo.CreateIndexesOptions,
  'expireAfterSeconds' | 'partialFilterExpression' | 'sparse' | 'unique'
>;

/** The stored shape: without an `_id` of its own, the `id` is stored as `_id`, a string. */
type StoredShape<Shape extends Fields> = '_id' extends keyof Shape ? Shape : { _id: z.ZodString } & Omit<Shape, 'id'>;

type DocumentFrom<Shape extends Fields> = z.output<z.ZodObject<StoredShape<Shape>>>;

/** The name of the index by which the relay finds the events in the outboxes by their types. */
export const pendingIndex = 'outbox_types';

/** How many bytes an outbox may have: half of MongoDB's limit for a document. */
export const maxOutboxBytes = 8_000_000;

/**
 * MongoDB checks each write against this rule, so that concurrent writers can't exceed the limit together. A document
 * that is already too large can still be changed, so that its events can be removed.
 */
export const outboxRule = {
  validationLevel: 'moderate',
  validator: {
    $expr: {
      $or: [
        // Checked first because MongoDB knows a document's size, while computing the size of a part takes longer.
        { $lte: [{ $bsonSize: '$$ROOT' }, maxOutboxBytes] },
        { $lte: [{ $bsonSize: { outbox: '$outbox' } }, maxOutboxBytes] },
      ],
    },
  },
} as const;

const outboxIndexes: Readonly<Record<string, IndexDefinition>> = {
  [pendingIndex]: {
    keys: { 'outbox.type': 1, _id: 1 },
    partialFilterExpression: { 'outbox.0': { $exists: true } },
  },
  tombstones: { keys: { deletedAt: 1 }, partialFilterExpression: { deletedAt: { $exists: true } } },
};

/**
 * Defines a collection by the zod types of its documents' fields. The `id` is stored as `_id`, a string, unless `fields`
 * has an `_id` of its own. The keys of `indexes` are the names of the indexes in the database. A collection with an
 * outbox also gets the relay's indexes. `sharding` is used only by a sharded cluster; a replica set ignores it.
 */
export function defineCollection<const Shape extends Fields, const Index extends string = never>(
  name: string,
  fields: Shape,
  { sharding, indexes }: { readonly sharding: Sharding; readonly indexes?: Readonly<Record<Index, IndexDefinition>> },
): CollectionDefinition<DocumentFrom<Shape>, Index> {
  const { id: _id, ...others } = fields;
  const stored = '_id' in fields ? fields : { _id: z.string(), ...others };
  const schema = mongooseSchemaOf(stored, { collection: name, autoIndex: false, versionKey: false });
  const hasOutbox = 'outbox' in fields;
  const all: Readonly<Record<string, IndexDefinition>> = { ...indexes, ...(hasOutbox ? outboxIndexes : {}) };
  for (const [index, { keys, ...options }] of Object.entries(all))
    schema.index({ ...keys }, { ...options, name: index });
  return { name, schema, hasOutbox, sharding };
}
