import type { CollectionDefinition } from '@storefront/mongo';
import { expect, test } from 'vitest';
import { allServices } from '../scripts/reference.ts';

// Services say of their collections what others may know; that they are definitions is known here alone.
const all = allServices.flatMap(({ name, collections }) =>
  (collections as readonly CollectionDefinition[]).map(
    (collection) => [`${name}.${collection.name}`, collection] as const,
  ),
);
const sharded = all.flatMap(([name, { schema, sharding }]) =>
  'key' in sharding ? [[name, schema, Object.keys(sharding.key), Object.values(sharding.key)] as const] : [],
);

test('every service with a database declares its collections, each once', () => {
  expect(allServices.filter(({ collections }) => collections.length === 0).map(({ name }) => name)).toEqual([
    'gateway',
  ]);
  expect(new Set(all.map(([name]) => name)).size).toBe(all.length);
});

test.each(sharded)('%s: a unique index begins with the shard key, or with the id', (_name, schema, key) => {
  const unique = schema.indexes().filter(([, options]) => options?.unique === true);
  for (const [fields] of unique) {
    const names = Object.keys(fields);
    // MongoDB holds an index to be unique on each shard alone, so it takes no other one.
    expect(names[0] === '_id' ? key : names.slice(0, key.length)).toEqual(key);
  }
});

test.each(sharded)(
  '%s: each document has the fields of the shard key, one of them hashed at most',
  (_name, schema, key, kinds) => {
    expect(kinds.filter((kind) => kind === 'hashed').length).toBeLessThanOrEqual(1);
    for (const field of key) {
      const { options } = schema.path(field) as unknown as { options: { isOptional?: boolean; isNullable?: boolean } };
      expect([options.isOptional ?? false, options.isNullable ?? false]).toEqual([false, false]);
    }
  },
);
