import { services } from '@storefront/stack';

/** The names of the processes of the system, as `npm start` gives them. */
export function instanceNames({ instances, gateways }: { instances: number; gateways: number }): string[] {
  const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at + 1}`);
  return [
    ...services.flatMap(({ name }) => (instances === 1 ? [name] : numbered(name, instances))),
    ...numbered('gateway', gateways),
  ];
}
