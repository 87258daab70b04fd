/**
 * The address of one database on a server. A database that the server's address names already becomes the prefix of the
 * name; who logs in goes on doing so where that address said.
 */
export function databaseUrl(server: string, name: string): string {
  const [, hosts, path = '', query = ''] = /^([^/]+:\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(server) ?? [];
  if (hosts === undefined) throw new TypeError('the address of the MongoDB server is not one');
  const parameters = new URLSearchParams(query);
  if (hosts.includes('@') && !parameters.has('authSource')) parameters.set('authSource', path || 'admin');
  const database = path === '' ? name : `${path}_${name}`;
  return `${hosts}/${database}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
}
