import type { Principal } from '@storefront/access-token';
import { eventually, newEvent, principal, startService, type Answer, type HarnessOptions } from '@storefront/testing';
import { CompactEncrypt } from 'jose';
import { collections, service } from '../src/service.ts';
import { startMailServer } from './mail-server.ts';

export const definitions = collections;

export type Engagement = Awaited<ReturnType<typeof startEngagement>>;

/** The service with a mail server of its own, on the in-process bus where no other is named. */
export async function startEngagement({
  settings = {},
  ...options
}: Pick<HarnessOptions, 'bus' | 'instances' | 'contracts' | 'settings' | 'databaseNow'> = {}) {
  const mails = await startMailServer();
  const harness = await startService(service, {
    bus: 'in-process',
    definitions,
    settings: {
      SMTP_URL: mails.url,
      MAIL_FROM: 'Tea & Tools <shop@example.com>',
      MAIL_DOMAIN: 'mail.example.com',
      SHOP_NAME: 'Tea & Tools',
      SHOP_URL: 'https://shop.example/',
      API_URL: 'https://api.example/',
      ...settings,
    },
    ...options,
  });
  const sealingKey = Buffer.from(harness.settings['CODE_SEALING_KEY'] ?? '', 'base64url');
  const deliveryDocuments = harness.collection('deliveries');

  return {
    ...harness,
    mails,
    people: { ada: principal('retail'), bob: principal('retail'), admin: principal('admin'), boss: principal('admin') },
    deliveries: deliveryDocuments,
    notifications: harness.collection('notifications'),
    event: newEvent,

    /** As `call`, to one of the instances. */
    request<Body = any>(
      who: Principal | null,
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
      instance = 0,
    ): Promise<Answer<Body>> {
      const { call = harness.call } = harness.instances[instance] ?? {};
      return call(who, method, path, body, headers);
    },

    /** What identity puts into an event that carries a code: of a registration, or for a new password. */
    sealed: async (code: string | null, lifeMs = 600_000, link: string | null = null) => ({
      registeredAt: new Date().toISOString(),
      linkExpiresAt: new Date(Date.now() + lifeMs).toISOString(),
      sealedCode: await new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ code, link })))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(sealingKey),
      codeExpiresAt: new Date(Date.now() + lifeMs).toISOString(),
    }),

    /** Waits until the delivery to that address has that status. */
    delivered: (email: string, status = 'delivered') =>
      eventually(() => deliveryDocuments.findOne({ email, status }), `the delivery to ${email} to be ${status}`),

    async close(): Promise<void> {
      try {
        await harness.close();
      } finally {
        await mails.stop();
      }
    },
  };
}
