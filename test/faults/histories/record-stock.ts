import { setTimeout as wait } from 'node:timers/promises';
import type { Reply } from '../client.ts';
import { isSuccess } from '../operations/operation.ts';
import type { History, HistoryNeeds } from './history.ts';
import { checkLinearizable } from './linearizable.ts';
import type { Call } from './linearizable.ts';
import { createRecorder } from './recorder.ts';
import { stockModel } from './stock-model.ts';
import type { StockInput, StockOutput } from './stock-model.ts';

const initialStock = 20;
const callsOfEach = 10;
const callers = 3;
// Each call without an answer doubles the orders that have to be tried.
const mostUnknown = 6;

/**
 * Makes a product, then moves and reads its stock from several callers at once. The last read is after all of them. Null
 * where the product could not be made.
 */
export async function recordStock(needs: HistoryNeeds, number: number): Promise<History | null> {
  const { client, admin, gateways, random, readsAreExact } = needs;
  const sku = `HISTORY-${needs.name}-${number}`;
  const body = { sku, name: `Tea ${sku}`, price: { amount: 100, currency: 'EUR' }, stock: initialStock };
  const product = await admin.call('POST', '/v1/products', { body, key: sku });
  if (!isSuccess(product)) return null;
  const path = `/v1/products/${product.body.id}`;
  const recorder = createRecorder<StockInput, StockOutput>();
  const unknown = () => recorder.calls.filter(({ end }) => end === Infinity).length;

  async function move(key: string | undefined): Promise<void> {
    const change = random.between(-12, 10) || 1;
    await recorder.call({ kind: 'move', change }, async () => {
      const request = { body: { change }, ...(key && { key }) };
      return outcomeOfMove(key ? await admin.call('POST', `${path}/stock`, request) : await moveOnce(request));
    });
  }

  /** A move without a key is tried once: a second try would be a second move. */
  async function moveOnce(request: { body: object }): Promise<Reply> {
    return admin.once(random.pick(gateways), 'POST', `${path}/stock`, request);
  }

  async function read(): Promise<void> {
    if (!readsAreExact) return;
    await recorder.call({ kind: 'read' }, async () => {
      const reply = await client.once(random.pick(gateways), 'GET', path);
      return isSuccess(reply) ? Number(reply.body.stock) : 'nothing';
    });
  }

  async function work(caller: number): Promise<void> {
    for (let at = 0; at < callsOfEach && unknown() < mostUnknown; at += 1) {
      const kind = random.between(1, 3);
      await (kind === 1 ? read() : move(kind === 2 ? `${sku}-${caller}-${at}` : undefined));
      await wait(random.between(0, 100));
    }
  }

  await Promise.all(Array.from({ length: callers }, (_, caller) => work(caller)));
  return {
    object: `stock of ${sku}`,
    calls: recorder.calls.length,
    // The last read is made once all faults are over and everything that could still happen has happened.
    async verdict() {
      const { body } = await client.call('GET', path);
      const last: Call<StockInput, StockOutput> = {
        input: { kind: 'read' },
        begin: Number.MAX_SAFE_INTEGER,
        end: Number.MAX_SAFE_INTEGER,
        output: Number(body.stock),
      };
      return checkLinearizable(stockModel(initialStock), [...recorder.calls, last]);
    },
    show: () => recorder.calls.map((call) => JSON.stringify(call)),
  };
}

function outcomeOfMove(reply: Reply): StockOutput | 'unknown' | 'nothing' {
  if (isSuccess(reply)) return Number(reply.body.stock);
  if (reply.code === 'insufficient_stock') return 'insufficient';
  return reply.status === 0 || reply.status >= 500 || reply.uncertainTries > 0 ? 'unknown' : 'nothing';
}
