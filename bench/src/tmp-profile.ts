import { payOnDemoPage, prepareOrder, sendOrder, untilOrder } from '@storefront/checkout-client';
import mongoose from 'mongoose';
import { openContext } from './context.ts';
import { fillOrderShop, guestAt, purchaseOf } from './fill/purchases.ts';
import { sendAtOnce } from './load/at-once.ts';
const t0 = Date.now();
const say = (line: string) => console.error(Math.round((Date.now() - t0) / 1000), line);
const context = openContext({ help: false, only: [], seconds: 5, connections: 8, facts: 1, json: false } as never, say);
const { mongodb, broker } = await context.backing();
const stack = await context.startStack(['--separate'], { database: 'prof', url: mongodb.url, broker: broker.url ?? '' });
const shop = await fillOrderShop(stack);
const [gateway = ''] = stack.gateways;
let g = 0;
const prepare = async () => { const n = g++; const send = guestAt(gateway, n); const { order } = await prepareOrder(send, purchaseOf(shop, n)); return { send, order, email: `guest-${n}@bench.example.com` }; };
const confirm = ({ send, order, email }: Awaited<ReturnType<typeof prepare>>) => sendOrder(send, { ...order, email, payment: { method: 'card' } });
await sendAtOnce({ count: 60, clients: 8 }, async () => { const p = await prepare(); const o = await confirm(p); await payOnDemoPage(o.payment.redirectUrl ?? ''); await untilOrder(p.send, o, (s) => s.status === 'placed', 60000); });
const N = 40;
const prepared: Awaited<ReturnType<typeof prepare>>[] = [];
for (let i = 0; i < 2 * N; i++) prepared.push(await prepare());
await new Promise((r) => setTimeout(r, 8000));
const client = (await mongoose.createConnection(mongodb.url).asPromise()).getClient();
const dbs = (await client.db().admin().listDatabases()).databases.map((d: { name: string }) => d.name).filter((n: string) => n.startsWith('prof'));
const count = async (work: () => Promise<void>, label: string) => {
  for (const name of dbs) { const db = client.db(name); await db.command({ profile: 0 }); await db.collection('system.profile').drop().catch(() => 0); await db.command({ profile: 2 }); }
  const a = await client.db().admin().command({ serverStatus: 1 });
  await work();
  await new Promise((r) => setTimeout(r, 4000));
  const b = await client.db().admin().command({ serverStatus: 1 });
  const rows: Record<string, number> = {};
  for (const name of dbs) {
    const db = client.db(name); await db.command({ profile: 0 });
    for (const p of await db.collection('system.profile').find().toArray()) {
      const c = p.command ?? {};
      const coll = String(p.ns).split('.').slice(1).join('.');
      const op = p.op === 'command' ? Object.keys(c)[0] : p.op;
      const txn = c.txnNumber !== undefined && c.autocommit === false ? ' T' : '';
      const shape = op === 'query' || op === 'getmore' ? JSON.stringify(Object.keys(c.filter ?? c.q ?? {})) : op === 'update' ? JSON.stringify(Object.keys(c.u ?? {})) + JSON.stringify(Object.keys(c.q ?? {})) : '';
      const key = `${name.replace(/^prof./, '')} ${op}${txn} ${coll} ${shape}`;
      rows[key] = (rows[key] ?? 0) + 1;
    }
  }
  console.log(`== ${label} (per order)`);
  for (const k of Object.keys(a.metrics.commands)) { const x = a.metrics.commands[k], y = b.metrics.commands[k]; const d = Number(y?.total ?? 0) - Number(x?.total ?? 0); if (d > N / 4) console.log('   ', k, (d / N).toFixed(2)); }
  for (const [k, v] of Object.entries(rows).sort()) if (v >= N / 8) console.log((v / N).toFixed(2), k);
};
await count(async () => { await new Promise((r) => setTimeout(r, 6000)); }, 'idle for 6 s');
await count(async () => { await sendAtOnce({ count: N, clients: 8 }, async () => { await confirm(prepared.pop()!); }); }, 'orders 8 clients');
await count(async () => { await sendAtOnce({ count: N, clients: 1 }, async () => { await confirm(prepared.pop()!); }); }, 'orders 1 client');
await context.close();
process.exit();
