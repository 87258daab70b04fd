import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@storefront/stack';
import { memoryLogger } from '@storefront/testing';
import { inject } from 'vitest';
import { patient } from '../patient.ts';

export interface DemoShop extends Stack {
  readonly storefront: string;
}

/** The demo shop with its storefront, as `npm start` has it. */
export async function startDemoShop(opened: AsyncDisposableStack): Promise<DemoShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-shop-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { logger } = memoryLogger();
  const stack = await startStack({
    env: { PORT: '0', STOREFRONT_PORT: '0', RATE_LIMITS: 'off', ...patient, MONGODB_URL: inject('mongodbUrl') },
    dataDir,
    bus: 'in-process',
    storefront: true,
    databasePrefix: `shop_${randomBytes(4).toString('hex')}_`,
    loggerOf: (name) => logger.child({ name }),
  });
  opened.defer(() => stack.close());
  return { ...stack, storefront: stack.storefront ?? '' };
}
