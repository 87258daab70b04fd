import { newInternalKeyPair } from '@storefront/access-token';
import type { Bus } from '@storefront/messaging';
import { memoryLogger } from '@storefront/testing';
import type { Overrides } from '@storefront/process';
import { configSchema, type GatewayConfig } from '../../src/config.ts';
import { service } from '../../src/service.ts';

/** A gateway on a free port in front of `identity`, on a bus that the test has, such as one whose events the test sends. */
export async function startGateway(
  identity: { url: string },
  buses: { bus: Bus } | { connectBus: NonNullable<Overrides['connectBus']> },
  settings: Record<string, string> = {},
  overrides: Pick<Overrides, 'lookup'> = {},
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
  const running = await service.start(config, {
    ...overrides,
    logger,
    connectBus: 'bus' in buses ? async () => buses.bus : buses.connectBus,
  });
  return { ...running, lines };
}

export function bearer(token: string): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${token}` } };
}
