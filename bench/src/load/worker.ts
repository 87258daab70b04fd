// A process that sends the requests of loads, one load after the other. It is separate, so that the load has an event
// loop of its own.
import { randomUUID } from 'node:crypto';
import { createHistogram } from 'node:perf_hooks';
import autocannon from 'autocannon';
import { uniqueId, uniqueText, type LoadPlan, type LoadRequest, type LoadResult } from './plan.ts';

process.on('message', (plan: LoadPlan) => {
  void load(plan).then((result) => process.send?.(result));
});

// In the beginning all clients connect at once: that is not the server's time.
const settlingMs = 300;

async function load({ url, seconds, clients }: LoadPlan): Promise<LoadResult> {
  let next = 0;
  const settled = performance.now() + settlingMs;
  // autocannon measures in whole milliseconds, which is not precise enough here.
  const microseconds = createHistogram();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections: clients.length,
        duration: seconds,
        timeout: 10,
        setupClient: (client) => {
          client.setRequests((clients[next++ % clients.length] ?? []).map(toSend));
        },
      },
      (error: unknown, done) => (error instanceof Error ? reject(error) : resolve(done)),
    );
    run.on('response', (_client, _status, _bytes, milliseconds) => {
      if (performance.now() < settled) return;
      microseconds.record(Math.max(1, Math.round(milliseconds * 1000)));
    });
  });
  return {
    requests: result['2xx'],
    seconds: result.duration,
    measured: microseconds.count,
    p50: microseconds.percentile(50) / 1000,
    p99: microseconds.percentile(99) / 1000,
    failed: result.non2xx + result.errors + result.timeouts,
    failures: failuresOf(result),
  };
}

function failuresOf({ statusCodeStats = {}, errors, timeouts }: autocannon.Result): Record<string, number> {
  const refused = Object.entries(statusCodeStats).filter(([status]) => !status.startsWith('2'));
  return { ...Object.fromEntries(refused.map(([status, { count }]) => [status, Number(count)])), errors, timeouts };
}

// Of this process: several loads, one after the other, must not send the same text.
const run = randomUUID();
let sent = 0;

function toSend(request: LoadRequest): autocannon.Request {
  const { body } = request;
  if (!body?.includes(uniqueText) && !body?.includes(uniqueId)) return { ...request };
  const newBody = () => body.replaceAll(uniqueText, `${run}-${(sent += 1)}`).replaceAll(uniqueId, () => randomUUID());
  return { ...request, setupRequest: (built) => ({ ...built, body: newBody() }) };
}
