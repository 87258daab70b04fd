import type { ServiceName } from '@storefront/contracts';
import { instancesOf, isName, repeatEvery, type Lookup } from '@storefront/process';
import type { Logger } from 'pino';
import type { Upstream, Upstreams } from './pools.ts';

const lookUpEveryMs = 3000;
// Names are looked up sooner after a failed attempt: if all instances were replaced, none of the old addresses answers.
const afterFailureMs = 500;

/**
 * Looks up the names in `addresses` every 3 s, and within half a second after a request to their service failed.
 * Requests to a service then go to all addresses of its name. If a look-up fails, the last addresses stay in use. Until
 * the first look-up has ended, and for a name with a single address, each connection resolves the name itself.
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

  /** `found`: the instances of each url of the service. Changed here. */
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
    // Logs the first failure only, not one every 3 s.
    const noteFailure = (error: unknown) => {
      if (!isAway) parts.logger.warn({ err: error }, failure);
      isAway = true;
    };
    return repeatEvery(afterFailureMs, lookUp, { logger: parts.logger, failure });
  }

  return {
    close() {
      isClosed = true;
      // `close` does not wait for a running look-up: it may take many seconds while the name server does not answer.
      for (const followed of following) void followed.stop();
    },
  };
}
