import { ordersEvents, newId } from '@storefront/contracts';
import { eventually, startCommand } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngagement, type Engagement } from './engagement.ts';

const cli = new URL('../src/cli.ts', import.meta.url);

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

const run = (...args: readonly string[]) =>
  startCommand(cli, args, { MONGODB_URL: service.settings['MONGODB_URL'] }).outcome;

describe('npm run engagement -- rebuild-reports', () => {
  it('makes the sums again beside the running service, which goes on counting afterwards', async () => {
    await placeOrder('2026-10-24T22:30:00.000Z');
    await placeOrder('2026-10-26T10:00:00.000Z');
    const before = await cells();
    await service.collection('roll_up_cells').deleteMany({});
    const { code, out, err } = await run('rebuild-reports', '--to', '2026-12-01');
    expect(code).toBe(0);
    expect(out).toBe('2026-10-24 to 2026-10-26: 3 days made again.\n');
    expect(err).toContain('[##############################] 100 % 2026-10-26\n');
    expect(await cells()).toEqual(before);

    await placeOrder('2026-10-27T10:00:00.000Z');
    expect(await run('rebuild-reports', '--from', '2027-01-01')).toMatchObject({
      code: 0,
      out: 'There is no day to make again.\n',
    });
  });

  it('refuses what is no date, and what it does not know', async () => {
    const [wrong, unknown] = [await run('rebuild-reports', '--from', '2026-02-30'), await run('make-tea')];
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('--from must be a date') });
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('rebuild-reports [--from <date>]') });
  });
});
