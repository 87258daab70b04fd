import { operations, type OperationSpec, type ServiceName } from '@storefront/contracts';
import type { PublicRoute } from './domain/route-table.ts';

/** Returns the operations of these services that clients may call. */
export function publicRoutes(services: Iterable<ServiceName>): PublicRoute[] {
  return [...services].flatMap((service) =>
    Object.values<OperationSpec>(operations[service])
      .filter(({ access }) => access !== 'system')
      .map((operation) => ({ service, operation })),
  );
}
