import { identityEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../event-at.ts';
import type { Shop } from '../shop.ts';

type Publish = (event: Event) => void;

const name = { firstName: 'Ada', lastName: 'Lovelace' };
const sealed = (moment: number) => ({
  sealedCode: 'sealed',
  codeExpiresAt: new Date(moment + 600_000).toISOString(),
});

/** A person registers. The code may be sent again, and the person may verify the email. */
export function publishRetailRegistration(shop: Shop, publish: Publish): void {
  const { email, userId } = shop.random.pick(shop.users);
  const registration = `registration-${shop.uuid()}`;
  const begun = shop.moment();
  const registered = (moment: number, sequence: number) =>
    eventAt(
      shop,
      moment,
      identityEvents.userRegistered,
      registration,
      { ...name, email, ...sealed(moment), registeredAt: new Date(begun).toISOString() },
      sequence,
    );
  publish(registered(begun, 1));
  if (shop.chance(0.4)) publish(registered(shop.later(begun), 2));
  if (shop.chance(0.7))
    publish(eventAt(shop, shop.later(begun), identityEvents.userVerified, userId, { ...name, email, role: 'retail' }));
}

/** A business registers and may apply for a trade account. An administrator may decide about the application. */
export function publishTradeRegistration(shop: Shop, publish: Publish): void {
  const { email, userId } = shop.random.pick(shop.users);
  const registration = `registration-${shop.uuid()}`;
  const businessName = 'Lovelace Ltd';
  const begun = shop.moment();
  const registered = (moment: number, sequence: number, codeOnly: boolean) =>
    eventAt(
      shop,
      moment,
      identityEvents.tradeAccountRegistered,
      registration,
      {
        ...name,
        email,
        businessName,
        ...sealed(moment),
        codeOnly,
        appliesAgain: false,
        registeredAt: new Date(begun).toISOString(),
      },
      sequence,
    );
  publish(registered(begun, 1, false));
  if (shop.chance(0.3)) publish(registered(shop.later(begun), 2, true));
  if (shop.chance(0.3)) return;
  const submitted = shop.later(begun);
  publish(eventAt(shop, submitted, identityEvents.userVerified, userId, { ...name, email, role: 'trade' }));
  publish(eventAt(shop, submitted, identityEvents.tradeAccountSubmitted, userId, { ...name, email, businessName }, 2));
  if (shop.chance(0.2)) return;
  const verdict = shop.chance(0.7) ? identityEvents.tradeAccountApproved : identityEvents.tradeAccountRejected;
  const business = { name: businessName, address: 'Main Street 1', vatNumber: null, country: 'GB' };
  publish(
    eventAt(
      shop,
      shop.later(submitted),
      verdict,
      userId,
      {
        ...name,
        email,
        businessName,
        reason: null,
        business,
        submittedAt: new Date(submitted).toISOString(),
      },
      3,
    ),
  );
}
