import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that all tests of the run share; the address has no database in its path. */
    mongodbUrl: string;
    amqpUrl: string;
    rabbitmqManagementUrl: string;
    /** Whether `npm run proof` runs the tests, in their long form. */
    isProof: boolean;
  }
}

/**
 * Returns the address of a new database that only the caller uses, on the run's server or on `server`. `drop` deletes
 * it.
 */
export function freshDatabase(label: string, server?: string): { url: string; drop(): Promise<void> } {
  const url = new URL(server ?? inject('mongodbUrl'));
  url.pathname = `/${label}_${randomBytes(5).toString('hex')}`;
  return {
    url: url.href,
    async drop() {
      const connection = await mongoose.createConnection(url.href).asPromise();
      await connection.dropDatabase();
      await connection.close();
    },
  };
}
