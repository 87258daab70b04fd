import { z } from 'zod';
import { defineEvent } from '../event.ts';

/**
 * The answers of a service that stores data about people to `identity.user-erasure-requested` and
 * `identity.user-export-requested`. The subject is the user. A request is finished when all such services have
 * answered.
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
    pageExported: defineEvent(
      `${service}.user-data-page-exported`,
      `A page of what the ${service} service keeps about the user, where all of it is too much for one event.`,
      z.object({
        exportId: z.string(),
        collection: z.string().meta({ description: 'Names one reading of the data: pages of two do not mix.' }),
        page: z.int().min(1),
        pages: z.int().optional().meta({ description: 'How many there are; only the last one says so.' }),
        data: z.record(z.string(), z.unknown()),
      }),
    ),
  };
}

/** The services that store data about people and must answer. To add another service, add a line. */
export const userDataEvents = {
  account: userDataContracts('account'),
  engagement: userDataContracts('engagement'),
  billing: userDataContracts('billing'),
  orders: userDataContracts('orders'),
} as const;

export type UserDataKeeper = keyof typeof userDataEvents;

/** The services whose answers identity waits for. */
export const userDataKeepers = Object.keys(userDataEvents) as readonly UserDataKeeper[];
