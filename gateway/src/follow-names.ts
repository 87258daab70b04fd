import type { ServiceName } from '@storefront/contracts';
import { instancesOf, isName, repeatEvery, type Lookup } from '@storefront/process';
import type { Logger } from 'pino';
import type { Upstream, Upstreams } from './pools.ts';

const lookUpEveryMs = 3000;
// Sooner after a failed attempt: where all instances were replaced at once, no former address answers.
const afterFailureMs = 500;

/**
 * Looks the names in `addresses` up every 3 s, and half a second after an attempt at their service failed. Requests to a service
 * then go to all addresses of its name. While a name can't be looked up, its last addresses stay. Until its first look-up is over,
 * and where it has a single address, each connection finds that address itself.
 */
export function followNames(parts: {
  readonly upstreams: Upstreams;
  readonly addresses: ReadonlyMap<ServiceName, readonly string[]>;
  readonly lookup: Lookup;
  readonly logger: Logger;
}): { close(): void } {
  let isClosed = false;
  const following = [...parts.upstreams.values()].flatMap((upstream) => {
    const urls = parts.addresses.get(upstream.name) ?? [];
    const found = new Map<string, readonly string[]>(urls.map((url) => [url, [url]]));
    return urls.filter(isName).map((url) => followName(upstream, url, found));
  });

  /** `found`: the instances behind each url of the service. */
  function followName(upstream: Upstream, url: string, found: Map<string, readonly string[]>) {
    let lookedUpAt = -Infinity;
    let isAway = false;
    const lookUp = async () => {
      const now = performance.now();
      if (now - lookedUpAt < lookUpEveryMs && upstream.failedAt < lookedUpAt) return;
      lookedUpAt = now;
      const instances = await instancesOf(url, parts.lookup).catch(noteFailure);
      if (isClosed || instances === undefined) return;
      isAway = false;
      found.set(url, instances);
      upstream.setInstances([...new Set([...found.values()].flat())]);
    };
    const failure = `the addresses of ${upstream.name} could not be looked up; the last ones stay`;
    // Once, and not every 3 s for as long as it lasts.
    const noteFailure = (error: unknown) => {
      if (!isAway) parts.logger.warn({ err: error }, failure);
      isAway = true;
    };
    return repeatEvery(afterFailureMs, lookUp, { logger: parts.logger, failure });
  }

  return {
    close() {
      isClosed = true;
      // A name server that is away may take many seconds to be given up: nothing waits for a look-up under way.
      for (const followed of following) void followed.stop();
    },
  };
}
