import { expect, it } from 'vitest';
import { databaseUrl } from './database-url.ts';

it.each([
  ['mongodb://127.0.0.1:27017', 'mongodb://127.0.0.1:27017/identity'],
  ['mongodb://127.0.0.1:27017/', 'mongodb://127.0.0.1:27017/identity'],
  ['mongodb://a:1,b:2/?replicaSet=rs0', 'mongodb://a:1,b:2/identity?replicaSet=rs0'],
  ['mongodb://a:1/shop?replicaSet=rs0', 'mongodb://a:1/shop_identity?replicaSet=rs0'],
  ['mongodb://me:secret@a/shop', 'mongodb://me:secret@a/shop_identity?authSource=shop'],
  ['mongodb://me:secret@a', 'mongodb://me:secret@a/identity?authSource=admin'],
  ['mongodb+srv://me:secret@a/?authSource=x', 'mongodb+srv://me:secret@a/identity?authSource=x'],
])('names a database on %s', (server, expected) => {
  expect(databaseUrl(server, 'identity')).toBe(expected);
});
