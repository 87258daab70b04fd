import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ordersEvents, newId } from '@storefront/contracts';
import { eventually, plainEnv } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

let service: Engagement;
beforeAll(async () => {
  service = await startEngagement();
});
afterAll(() => service.close());

const cells = () => service.collection('roll_up_cells').find().sort({ _id: 1 }).toArray();

async function placeOrder(placedAt: string): Promise<void> {
  const money = { amount: 500, currency: 'EUR' };
  const orderId = `order-${placedAt}`;
  const data = {
    orderId,
    userId: newId('user'),
    recipient: { firstName: 'A', lastName: 'L' },
    placedAt,
    tier: 'retail' as const,
    totals: { total: money },
  };
  await service.publish(service.event(ordersEvents.orderPlaced, orderId, data));
  await eventually(
    async () =>
      (await service.collection('facts').countDocuments({ pending: { $exists: false }, at: new Date(placedAt) })) === 1,
    'the order to be counted',
  );
}

function run(...args: readonly string[]) {
  const env = { ...plainEnv, MONGODB_URL: service.settings['MONGODB_URL'] };
  return promisify(execFile)(process.execPath, ['--conditions=source', cli, ...args], { env });
}

describe('npm run engagement -- rebuild-reports', () => {
  it('makes the sums again beside the running service, which goes on counting afterwards', async () => {
    await placeOrder('2026-10-24T22:30:00.000Z');
    await placeOrder('2026-10-26T10:00:00.000Z');
    const before = await cells();
    await service.collection('roll_up_cells').deleteMany({});
    const { stdout, stderr } = await run('rebuild-reports', '--to', '2026-12-01');
    expect(stdout).toBe('2026-10-24 to 2026-10-26: 3 days made again.\n');
    expect(stderr).toContain('[##############################] 100 % 2026-10-26\n');
    expect(await cells()).toEqual(before);

    await placeOrder('2026-10-27T10:00:00.000Z');
    expect((await run('rebuild-reports', '--from', '2027-01-01')).stdout).toBe('There is no day to make again.\n');
  });

  it('refuses what is no date, and what it does not know', async () => {
    await expect(run('rebuild-reports', '--from', '2026-02-30')).rejects.toThrow('--from must be a date');
    await expect(run('make-tea')).rejects.toThrow('rebuild-reports [--from <date>]');
  });
});
