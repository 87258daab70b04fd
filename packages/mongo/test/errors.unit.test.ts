import mongoose from 'mongoose';
import { expect, it } from 'vitest';
import { ConflictError, databaseRefusal, isDatabaseAway, isDuplicate } from '../src/index.ts';
import { WriteFencedError } from '../src/write-fence.ts';

const { MongoBulkWriteError, MongoNetworkError, MongoServerError } = mongoose.mongo;

it.each<[string, Error]>([
  ['a network error', new MongoNetworkError('connection closed')],
  ['a primary that steps down', new MongoServerError({ code: 189, message: 'stepped down' })],
  ['a read that took longer than it may', new MongoServerError({ code: 50, message: 'operation exceeded time limit' })],
  ['a retryable write', new MongoServerError({ errorLabels: ['RetryableWriteError'], message: 'no primary' })],
  ['several writes that are cut off', interruptedBulkWrite()],
  ['a broken pipe', Object.assign(new Error('write EPIPE'), { syscall: 'write' })],
])('%s means that the database is away, and that the request may be tried again', (_name, error) => {
  expect(isDatabaseAway(error)).toBe(true);
  expect(databaseRefusal(error)).toMatchObject({
    kind: 'unavailable',
    code: 'database_unavailable',
    retryAfterSeconds: 1,
  });
});

it('work whose key another attempt may have taken may be tried again, and is no outage', () => {
  const error = new WriteFencedError('taken over');
  expect(isDatabaseAway(error)).toBe(false);
  expect(databaseRefusal(error)).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
});

it('a change that was overtaken too often may be tried again too', () => {
  expect(databaseRefusal(new ConflictError('a changed 200 times'))).toMatchObject({
    kind: 'unavailable',
    code: 'too_many_changes',
    retryAfterSeconds: 1,
  });
});

it('another error is none of these', () => {
  const duplicate = new MongoServerError({ code: 11_000, message: 'duplicate key' });
  expect([isDuplicate(duplicate), isDatabaseAway(duplicate)]).toEqual([true, false]);
  expect(databaseRefusal(duplicate)).toBeUndefined();
  expect(isDuplicate(new Error('no'))).toBe(false);
  expect(databaseRefusal(new Error('no'))).toBeUndefined();
});

/** As the driver wraps the reason. */
function interruptedBulkWrite(): Error {
  return new MongoBulkWriteError(new MongoNetworkError('connection closed'), {} as mongoose.mongo.BulkWriteResult);
}
