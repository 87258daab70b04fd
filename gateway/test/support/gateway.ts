import { newInternalKeyPair } from '@storefront/access-token';
import { memoryLogger } from '@storefront/testing';
import { configSchema } from '../../src/config.ts';
import type { GatewayConfig } from '../../src/config.ts';
import { service } from '../../src/service.ts';
import type { FakeBus } from './fake-bus.ts';

/** A gateway on a free port in front of `identity`; the test sends the events of its bus. */
export async function startGateway(
  identity: { url: string },
  fake: FakeBus,
  settings: Record<string, string> = {},
): Promise<{ url: string; lines: string[]; close(): Promise<void> }> {
  const { logger, lines } = memoryLogger();
  const { privateJwk } = await newInternalKeyPair();
  const config: GatewayConfig = configSchema.parse({
    PORT: '0',
    NODE_ENV: 'test',
    UPSTREAM_IDENTITY: identity.url,
    INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(privateJwk),
    RATE_LIMITS: 'off',
    ...settings,
  });
  const running = await service.start(config, { logger, connectBus: async () => fake.bus });
  return { ...running, lines };
}

export function bearer(token: string): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${token}` } };
}
