import { startProxy, type TcpProxy } from '@storefront/testing/tcp-proxy';

type ServerGroup = 'mongodb' | 'rabbitmq';

/** The connection of one instance to one group of servers, through a proxy of its own. */
interface Link {
  readonly instance: string;
  readonly server: ServerGroup;
  readonly proxy: TcpProxy;
}

/** The networks between the instances and their servers. */
export interface Links {
  /** The environment variables by which each instance gets the addresses of its proxies. */
  readonly env: Readonly<Record<string, string>>;
  /** The servers that are behind proxies. */
  readonly networks: readonly string[];
  /** The single links, such as `identity-1 to mongodb`. */
  readonly names: readonly string[];
  /** The server of a network, or of a single link; undefined for another target. */
  serverOf(target: string): string | undefined;
  /** The proxies of a server, or of a single link. */
  proxiesOf(target: string): readonly TcpProxy[];
  accept(): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy for each instance and server. A gateway has no database, and health no broker. `mongodb` is absent for a
 * replica set: its clients connect to the addresses in its configuration, which no proxy can change.
 */
export async function startLinks(
  instances: readonly string[],
  servers: { readonly mongodb?: string; readonly amqp: string | readonly string[] },
): Promise<Links> {
  const links: Link[] = [];
  const env: Record<string, string> = {};
  async function add(variable: string, instance: string, server: ServerGroup, target: string | readonly string[]) {
    const proxy = await startProxy(target);
    links.push({ instance, server, proxy });
    env[`${variable}_${instance.toUpperCase().replaceAll('-', '_')}`] = proxy.url;
  }
  for (const instance of instances) {
    if (servers.mongodb !== undefined && !instance.startsWith('gateway'))
      await add('MONGODB_URL', instance, 'mongodb', servers.mongodb);
    if (!instance.startsWith('health')) await add('AMQP_URL', instance, 'rabbitmq', servers.amqp);
  }
  const nameOf = ({ instance, server }: Link) => `${instance} to ${server}`;
  const linksOf = (target: string) => links.filter((link) => link.server === target || nameOf(link) === target);
  return {
    env,
    networks: [...new Set(links.map(({ server }) => server))],
    names: links.map(nameOf),
    serverOf: (target) => linksOf(target)[0]?.server,
    proxiesOf: (target) => linksOf(target).map(({ proxy }) => proxy),
    accept() {
      for (const { proxy } of links) proxy.accept();
    },
    async close() {
      await Promise.all(links.map(({ proxy }) => proxy.close()));
    },
  };
}
