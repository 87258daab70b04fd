import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';

let identity: FakeIdentity;
let other: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  identity = await startFakeIdentity();
  other = await startGateway(identity, createFakeBus());
});
afterAll(async () => {
  await Promise.all([other.close(), identity.stop()]);
});

it.each(['PORT', 'OPERATIONS_PORT'])('a gateway whose %s is taken leaves nothing open', async (name) => {
  const fake = createFakeBus();
  let closed = 0;
  fake.bus.close = async () => void (closed += 1);
  await expect(startGateway(identity, fake, { [name]: new URL(other.url).port })).rejects.toThrow('EADDRINUSE');
  expect(closed).toBe(1);
  expect((await fetch(`${other.url}/livez`)).status).toBe(200);
});
