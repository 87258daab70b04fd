import type { Principal } from '@storefront/access-token';
import type { engagementOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import { recordClientEvents } from '../commands/record-client-events.ts';
import type { Segment } from '../domain/facts/fact.ts';
import { isRobot } from '../domain/facts/robot.ts';
import type { Person } from '../domain/facts/person.ts';

type Needs = Parameters<typeof recordClientEvents>[0];

/** Receives events from clients about what visitors do in the shop. */
export function analyticsEventHandlers(
  needs: Needs,
): Pick<Handlers<typeof engagementOperations>, 'recordAnalyticsEvents'> {
  return {
    recordAnalyticsEvents({ caller, body: { anonymousId, events }, headers, clientIp }) {
      const wantsNoId = headers['sec-gpc'] === '1' || headers.dnt === '1';
      const by = wantsNoId ? null : senderOf(caller, anonymousId);
      const sender = { by, hasToken: caller !== null, segment: segmentOf(caller), ip: clientIp };
      return recordClientEvents(needs, { ...sender, isRobot: isRobot(headers['user-agent']) }, events);
    },
  };
}

function senderOf(caller: Principal | null, anonymousId: string | undefined): Person | null {
  if (caller) return { userId: caller.sub };
  return anonymousId === undefined ? null : { anonymousId };
}

// Staff see the prices for consumers, so they count as retail.
function segmentOf(caller: Principal | null): Segment {
  if (!caller) return 'guest';
  return caller.role === 'trade' ? 'trade' : 'retail';
}
