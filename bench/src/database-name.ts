/** The database prefix of the separate system. */
export const separatePrefix = 'bench';

/** The name that the stack gives the database of a service if the server's address already names a database. */
export function databaseName(service: string, prefix: string): string {
  return `${prefix}_storefront_${service}`;
}
