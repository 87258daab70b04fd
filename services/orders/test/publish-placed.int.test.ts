import { newId } from '@storefront/contracts';
import { eventually, runCommand, startCommand } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { person, startOrders, type Harness, type Person } from './harness.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let orders: Harness;
beforeAll(async () => {
  orders = await startOrders();
});
afterAll(() => orders.close());

describe('an order that an order system outside publishes', () => {
  const cli = new URL('../src/cli.ts', import.meta.url);
  const argsOf = (who: Person, options: readonly string[]) => {
    return ['publish-placed', `--user=${who.id}`, '--first-name=Grace', '--last-name=Hopper', ...options];
  };
  const publish = async (who: Person, ...options: readonly string[]) =>
    runCommand(cli, argsOf(who, options), { AMQP_URL: await orders.amqpUrl() });

  it('says nothing of lines and totals where it has no line', async () => {
    const who = person();
    const env = { AMQP_URL: await orders.amqpUrl() };
    const { code, out } = await startCommand(cli, argsOf(who, ['--order=o-1']), env).outcome;
    expect(code).toBe(0);
    expect(out).toMatch(/^evt_\w+ tells of o-1\n$/);
    const event = await eventually(() => orders.eventsOf('o-1')[0], 'the event');
    expect(event.data).toEqual({
      orderId: 'o-1',
      userId: who.id,
      recipient: { firstName: 'Grace', lastName: 'Hopper' },
      placedAt: expect.stringMatching(time),
      tier: 'retail',
    });
  });

  it('has its lines, the totals that follow from them, and the redemption', async () => {
    const [mug, tea, redemption] = [newId('prod'), newId('prod'), newId('red')];
    const lines = [`--line=${mug}:2:1999`, `--line=${tea}:1:450`];
    const amounts = ['--discount=500', '--shipping=490', '--tax=84', '--currency=CHF'];
    await publish(person('trade'), '--order=o-2', '--trade', ...lines, ...amounts, `--redemption=${redemption}`);
    const francs = (amount: number) => ({ amount, currency: 'CHF' });
    const event = await eventually(() => orders.eventsOf('o-2')[0], 'the event');
    expect(event.data).toMatchObject({
      tier: 'trade',
      lines: [
        { productId: mug, quantity: 2, unitPrice: francs(1999) },
        { productId: tea, quantity: 1, unitPrice: francs(450) },
      ],
      totals: {
        subtotal: francs(4448),
        discount: francs(500),
        shipping: francs(490),
        tax: francs(84),
        total: francs(4522),
      },
      redemptionId: redemption,
    });
  });

  it('is on account with the rates of its lines, and leaves the tax to the invoice', async () => {
    const [tea, rent] = [newId('prod'), newId('prod')];
    const lines = [`--line=${tea}:3:1099:19:Assam: 1 kg`, `--line=${rent}:1:335:7.5`];
    await publish(person('trade'), '--order=o-3', '--on-account', '--reference=PO-7781', ...lines, '--shipping=490');
    const euros = (amount: number) => ({ amount, currency: 'EUR' });
    const event = await eventually(() => orders.eventsOf('o-3')[0], 'the event');
    expect(event.data).toMatchObject({
      tier: 'trade',
      paymentTerms: 'invoice',
      reference: 'PO-7781',
      lines: [
        { productId: tea, quantity: 3, unitPrice: euros(1099), taxRate: 19, description: 'Assam: 1 kg' },
        { productId: rent, quantity: 1, unitPrice: euros(335), taxRate: 7.5 },
      ],
    });
    expect(event.data).toHaveProperty('totals', {
      subtotal: euros(3632),
      discount: euros(0),
      shipping: euros(490),
      total: euros(4122),
    });
  });

  it('has the tax of its lines and of shipping where a line says its rate', async () => {
    const lines = ['--line=prod:3:1099:19', '--line=other:1:335'];
    await publish(person(), '--order=o-4', ...lines, '--shipping=500', '--discount=100');
    const euros = (amount: number) => ({ amount, currency: 'EUR' });
    const event = await eventually(() => orders.eventsOf('o-4')[0], 'the event');
    // 40.32 at 19 %
    expect(event.data).toMatchObject({ totals: { tax: euros(766), total: euros(4798) } });
  });

  it('is refused with all that is wrong with it', async () => {
    const refusals: [options: string[], reasons: string[]][] = [
      [
        ['--line=prod:1:', '--tax=1.5'],
        ['must be <product>:<quantity>:<unit price>', 'must be a whole number'],
      ],
      [['--shipping=1'], ['--discount, --shipping and --tax need a --line']],
      [
        ['--line=p:0:1', '--discount=9', '--redemption=red_1'],
        ['lines[0].quantity', 'totals.total', 'redemptionId'],
      ],
    ];
    for (const [options, reasons] of refusals) {
      const { code, err } = await publish(person(), ...options);
      expect(code).toBe(1);
      for (const reason of reasons) expect(err).toContain(reason);
    }
  });
});
