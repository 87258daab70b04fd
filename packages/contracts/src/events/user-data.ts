import { z } from 'zod';
import { defineEvent } from '../event.ts';

/**
 * What a service that keeps something about people answers to `identity.user-erasure-requested` and
 * `identity.user-export-requested`; the subject is the user. Identity finishes a request when all of them have answered.
 */
function userDataContracts<Service extends string>(service: Service) {
  return {
    erased: defineEvent(
      `${service}.user-data-erased`,
      `Nothing about the user is left in the ${service} service.`,
      z.object({ requestId: z.string().meta({ description: 'The id of the event that asked for it.' }) }),
    ),
    exported: defineEvent(
      `${service}.user-data-exported`,
      `What the ${service} service keeps about the user.`,
      z.object({ exportId: z.string(), data: z.record(z.string(), z.unknown()) }),
    ),
  };
}

/** The services that keep something about people, and so must answer. One more is one more line. */
export const userDataEvents = {
  account: userDataContracts('account'),
  engagement: userDataContracts('engagement'),
} as const;

export type UserDataKeeper = keyof typeof userDataEvents;

/** All that identity waits for. */
export const userDataKeepers = Object.keys(userDataEvents) as readonly UserDataKeeper[];
