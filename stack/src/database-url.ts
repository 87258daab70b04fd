/**
 * The address of one database on a server. If the server's address already names a database, that name becomes the
 * prefix of `name`, and is still used to authenticate. Throws a TypeError where `server` is no MongoDB address.
 */
export function databaseUrl(server: string, name: string): string {
  const [, hosts, path = '', query = ''] = /^([^/]+:\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(server) ?? [];
  if (hosts === undefined) throw new TypeError('MONGODB_URL is not a MongoDB address');
  const parameters = new URLSearchParams(query);
  if (hosts.includes('@') && !parameters.has('authSource')) parameters.set('authSource', path || 'admin');
  const database = path === '' ? name : `${path}_${name}`;
  return `${hosts}/${database}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
}
