import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { untilReady } from './ready.ts';

/** An instance that answers with one status after the other, and with the last one for ever. */
async function instanceOf(...statuses: string[]) {
  let asked = 0;
  const server = createServer((_request, response) => {
    const status = statuses[Math.min(asked, statuses.length - 1)];
    asked += 1;
    response.writeHead(status === 'not-ready' ? 503 : 200).end(JSON.stringify({ status }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { name: 'catalog', probe: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

test('waits until an instance is ready', async () => {
  const said: string[] = [];
  const instance = await instanceOf('not-ready', 'degraded', 'ready');
  await untilReady([instance], (line) => said.push(line));
  expect([instance.asked(), said]).toEqual([3, []]);
});

test('one that stays degraded is enough after some time, and is reported', async () => {
  const said: string[] = [];
  const instance = await instanceOf('not-ready', 'degraded');
  const begun = performance.now();
  await untilReady([instance], (line) => said.push(line), 200);
  expect(performance.now() - begun).toBeGreaterThan(190);
  expect(said).toEqual(['catalog is degraded: {"status":"degraded"}']);
});
