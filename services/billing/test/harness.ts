import { auditEvents, billingEvents, identityEvents, newId, ordersEvents, userDataEvents } from '@storefront/contracts';
import { eventually, newEvent, principal, startService } from '@storefront/testing';
import { collections, service } from '../src/service.ts';

export { anonymous, statuses, times, wrongFields } from '@storefront/testing';

/** A logged-in user. */
export interface Person {
  readonly id: string;
  readonly role: 'retail' | 'trade' | 'admin';
}

export const person = (role: Person['role']): Person => ({ id: newId('user'), role });
export const admin = person('admin');

/** A business as identity publishes it. */
export interface Business {
  readonly name: string;
  readonly address: string;
  readonly vatNumber: string | null;
  readonly country: string;
}

export const teaHouse: Business = {
  name: 'Teahaus Müller GmbH',
  address: 'Hauptstraße 1\n10115 Berlin',
  vatNumber: 'DE123456789',
  country: 'DE',
};

export const demoSecret = 'a demo secret of the tests';

export type Harness = Awaited<ReturnType<typeof startBilling>>;

/**
 * The service with what its tests say about trade accounts, on the in-process bus where no other is named. `options` are those
 * of `startService`.
 */
export async function startBilling(options: Parameters<typeof startService>[1] = {}) {
  const { settings = {}, ...rest } = options;
  const harness = await startService(service, {
    contracts: [
      ...Object.values(billingEvents),
      ...Object.values(userDataEvents.billing),
      auditEvents.billing,
      ordersEvents.orderPlaced,
    ],
    definitions: collections,
    bus: 'in-process',
    ...rest,
    settings: {
      SELLER_NAME: 'Storefront Ltd',
      SELLER_ADDRESS: 'Marktplatz 5\\n20095 Hamburg',
      SELLER_COUNTRY: 'DE',
      SELLER_VAT_NUMBER: 'DE987654321',
      SHOP_TIME_ZONE: 'Europe/Berlin',
      PAYMENT_PROVIDERS: 'demo',
      DEMO_PAYMENT_SECRETS: demoSecret,
      DEMO_PAYMENT_URL: 'https://pay.example',
      RETURN_URLS: 'https://shop.example/',
      ...settings,
    },
  });

  /** Publishes an approved trade account, and waits until the service has it. */
  async function newAccount(business: Partial<Business> = {}, id: string = newId('user')): Promise<Person> {
    const published = { ...teaHouse, ...business };
    await harness.publish(
      newEvent(
        identityEvents.tradeAccountApproved,
        id,
        {
          email: 'buyer@example.com',
          firstName: 'Bea',
          lastName: 'Buyer',
          businessName: published.name,
          reason: null,
          business: published,
          submittedAt: new Date().toISOString(),
        },
        2,
      ),
    );
    await eventually(
      async () => (await harness.collection('accounts').countDocuments({ _id: id })) === 1,
      'the account',
    );
    return { id, role: 'trade' };
  }

  /** Publishes that the account is suspended, and waits until the service has it. */
  async function suspend(id: string): Promise<void> {
    const published = { email: 'buyer@example.com', firstName: 'Bea', lastName: 'Buyer', businessName: teaHouse.name };
    const { sequence } = (await harness.collection('accounts').findOne({ _id: id })) ?? { sequence: 2 };
    await harness.publish(
      newEvent(
        identityEvents.tradeAccountSuspended,
        id,
        { ...published, reason: 'Unpaid', business: teaHouse, submittedAt: new Date().toISOString() },
        sequence + 1,
      ),
    );
    await eventually(
      async () => (await harness.collection('accounts').findOne({ _id: id }))?.isOpen === false,
      'the suspension',
    );
  }

  return {
    ...harness,
    call: <Body = any>(who: Person | null, method: string, path: string, body?: unknown, headers = {}) =>
      harness.call<Body>(who && principal(who.role, who.id), method, path, body, headers),
    /** As `call`, to one of the instances. */
    callOn: <Body = any>(instance: number, who: Person | null, method: string, path: string, body?: unknown) =>
      (harness.instances[instance] ?? harness).call<Body>(who && principal(who.role, who.id), method, path, body),
    newAccount,
    suspend,
  };
}
