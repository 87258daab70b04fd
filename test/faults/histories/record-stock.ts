import { setTimeout as wait } from 'node:timers/promises';
import { type Reply, isSuccess } from '../client.ts';
import type { History, HistoryNeeds } from './history.ts';
import { checkLinearizable, type Call } from './linearizable.ts';
import { createRecorder } from './recorder.ts';
import { stockModel, type StockInput, type StockOutput } from './stock-model.ts';

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
  const newChange = () => random.between(-12, 10) || 1;
  const unknown = () => recorder.calls.filter(({ end }) => end === Infinity).length;

  const stockOf = (reply: Reply) => (isSuccess(reply) ? Number(reply.body.stock) : 'nothing');

  async function read(): Promise<void> {
    if (!readsAreExact) return;
    await recorder.call({ kind: 'read' }, async () => stockOf(await client.once(random.pick(gateways), 'GET', path)));
  }

  /** A move without a key is tried once: a second try would be a second move. */
  async function move(): Promise<void> {
    const body = { change: newChange() };
    await recorder.call({ kind: 'move', ...body }, async () => {
      const reply = await admin.once(random.pick(gateways), 'POST', `${path}/stock`, { body });
      return isSuccess(reply) ? stockOf(reply) : outcomeOfRefusal(reply);
    });
  }

  /**
   * The answer to a repeated move states the present stock, and this client is not alone in repeating: so does the gateway
   * when it loses a connection. So an answer is recorded as a move that was made, and a read at any moment of the call.
   */
  async function moveWithKey(key: string): Promise<void> {
    const body = { change: newChange() };
    let stock: StockOutput | 'nothing' = 'nothing';
    const moveOnly = () =>
      recorder.call({ kind: 'move', ...body }, async () => {
        const reply = await admin.call('POST', `${path}/stock`, { body, key });
        stock = stockOf(reply);
        return isSuccess(reply) ? 'done' : outcomeOfRefusal(reply);
      });
    await recorder.call({ kind: 'read' }, async () => {
      await moveOnly();
      return readsAreExact ? stock : 'nothing';
    });
  }

  async function work(caller: number): Promise<void> {
    for (let at = 0; at < callsOfEach && unknown() < mostUnknown; at += 1) {
      const kind = random.between(1, 3);
      await (kind === 1 ? read() : kind === 2 ? moveWithKey(`${sku}-${caller}-${at}`) : move());
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

function outcomeOfRefusal({ status, code, uncertainTries }: Reply): 'insufficient' | 'unknown' | 'nothing' {
  // An earlier try may still be carried out.
  if (status === 0 || status >= 500 || uncertainTries > 0) return 'unknown';
  return code === 'insufficient_stock' ? 'insufficient' : 'nothing';
}
