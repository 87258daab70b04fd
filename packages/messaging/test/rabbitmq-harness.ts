import { freshVhost, startProxy, type TcpProxy } from '@storefront/testing';
import { connectRabbitmq, deployTopology } from '../src/index.ts';
import type { Harness } from './buses.ts';
import { topology } from './events.ts';

export interface RabbitmqHarness extends Harness {
  /** Goes straight to the broker. */
  readonly url: string;
  /** What the buses of this harness go through. */
  readonly network: TcpProxy;
}

/** A virtual host of its own with the topology of these tests, reached through a network that can be made bad. */
export async function openRabbitmq(): Promise<RabbitmqHarness> {
  const vhost = await freshVhost('messaging');
  await deployTopology({ url: vhost.url, topology });
  const network = await startProxy(vhost.url);
  return {
    url: vhost.url,
    network,
    connect: (options) => connectRabbitmq({ ...options, url: network.url }),
    async close() {
      await network.close();
      await vhost.drop();
    },
  };
}
