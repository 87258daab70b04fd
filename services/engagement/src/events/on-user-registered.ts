import { identityEvents } from '@storefront/contracts';
import type { Outreach } from '../outreach.ts';
import { mailCode } from './reach.ts';
import { on } from './reactions.ts';

export function onUserRegistered(outreach: Outreach) {
  return [on(identityEvents.userRegistered, (event) => mailCode(outreach, event, 'verification', 'verification-code'))];
}
