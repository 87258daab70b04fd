import { identityEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../tell.ts';
import type { World } from '../world.ts';

type Tell = (event: Event) => void;

const name = { firstName: 'Ada', lastName: 'Lovelace' };
const sealed = (moment: number) => ({
  sealedCode: 'sealed',
  codeExpiresAt: new Date(moment + 600_000).toISOString(),
});

/** Somebody registers, has the code sent again, proves the email or does not. */
export function tellRetailRegistration(world: World, tell: Tell): void {
  const { email, userId } = world.random.pick(world.users);
  const registration = `registration-${world.uuid()}`;
  const begun = world.moment();
  const registered = (moment: number, sequence: number) =>
    eventAt(
      world,
      moment,
      identityEvents.userRegistered,
      registration,
      { ...name, email, ...sealed(moment), registeredAt: new Date(begun).toISOString() },
      sequence,
    );
  tell(registered(begun, 1));
  if (world.chance(0.4)) tell(registered(world.later(begun), 2));
  if (world.chance(0.7))
    tell(eventAt(world, world.later(begun), identityEvents.userVerified, userId, { ...name, email, role: 'retail' }));
}

/** A business registers, applies, and an administrator decides. */
export function tellTradeRegistration(world: World, tell: Tell): void {
  const { email, userId } = world.random.pick(world.users);
  const registration = `registration-${world.uuid()}`;
  const businessName = 'Lovelace Ltd';
  const begun = world.moment();
  const registered = (moment: number, sequence: number, codeOnly: boolean) =>
    eventAt(
      world,
      moment,
      identityEvents.tradeAccountRegistered,
      registration,
      { ...name, email, businessName, ...sealed(moment), codeOnly, registeredAt: new Date(begun).toISOString() },
      sequence,
    );
  tell(registered(begun, 1, false));
  if (world.chance(0.3)) tell(registered(world.later(begun), 2, true));
  if (world.chance(0.3)) return;
  const submitted = world.later(begun);
  tell(eventAt(world, submitted, identityEvents.userVerified, userId, { ...name, email, role: 'trade' }));
  tell(eventAt(world, submitted, identityEvents.tradeAccountSubmitted, userId, { ...name, email, businessName }, 2));
  if (world.chance(0.2)) return;
  const verdict = world.chance(0.7) ? identityEvents.tradeAccountApproved : identityEvents.tradeAccountRejected;
  const isOld = world.chance(0.2);
  tell(
    eventAt(
      world,
      world.later(submitted),
      verdict,
      userId,
      {
        ...name,
        email,
        businessName,
        reason: null,
        ...(!isOld && { submittedAt: new Date(submitted).toISOString() }),
      },
      3,
    ),
  );
}
