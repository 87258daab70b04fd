import { notFound, type engagementHttp, type engagementOperations } from '@storefront/contracts';
import { actorOf, newIdFor, type Cursors, type Handlers } from '@storefront/http';
import type { Deliveries } from '../store/deliveries.ts';
import { announceCampaign } from '../commands/announcements.ts';
import type { Promotions } from '../../promotions/promotions.ts';
import { countsOf, stopAnnouncement, type Announcement } from '../domain/announcement.ts';
import type { Announcements } from '../store/announcements.ts';

interface Needs {
  readonly announcements: Announcements;
  readonly findCampaign: Promotions['findCampaign'];
  readonly deliveries: Pick<Deliveries, 'countOf'>;
  readonly cursors: Cursors;
  readonly databaseNow: () => Date;
  /** Makes the announcer look for work at once. */
  readonly nudgeAnnouncer: () => void;
}

/** The routes for staff to announce campaigns, and to list and stop announcements. */
export function announcementHandlers(
  needs: Needs,
): Pick<
  Handlers<typeof engagementOperations>,
  'announceCampaign' | 'listAnnouncements' | 'getAnnouncement' | 'stopAnnouncement'
> {
  const { announcements, findCampaign, deliveries, cursors, nudgeAnnouncer } = needs;

  return {
    announceCampaign: {
      async handle(request, reply) {
        const { params, body } = request;
        const id = newIdFor(request, 'anc');
        const begun = await announceCampaign(needs, id, params.id, body, actorOf(request));
        nudgeAnnouncer();
        void reply.header('location', pathOf(begun));
        return show(begun);
      },
      async again(request, reply) {
        const found = await read(request.params.id, newIdFor(request, 'anc'));
        void reply.header('location', pathOf(found));
        return show(found);
      },
    },

    async listAnnouncements({ caller, params, query }) {
      if ((await findCampaign(params.id)) === null) throw notFound('campaign');
      const list = { list: `announcements ${params.id}`, owner: caller.sub, query };
      const { data, nextCursor } = await cursors.page(
        list,
        (slice) => announcements.list(params.id, slice),
        (each) => each,
      );
      return { data: await Promise.all(data.map(show)), nextCursor };
    },

    getAnnouncement: async ({ params }) => show(await read(params.id, params.announcementId)),

    stopAnnouncement: {
      async handle(request) {
        const { params } = request;
        const stopped = await announcements.change(params.announcementId, (current) =>
          stopAnnouncement(current, params.id, actorOf(request)),
        );
        nudgeAnnouncer();
        return show(stopped.result);
      },
      again: async ({ params }) => show(await read(params.id, params.announcementId)),
    },
  };

  async function read(campaignId: string, id: string): Promise<Announcement> {
    const found = await announcements.load(id);
    if (found?.state.campaignId !== campaignId) throw notFound('announcement');
    return found.state;
  }

  async function show(announcement: Announcement): Promise<engagementHttp.AnnouncementBody> {
    const { id, campaignId, status, channels, title, body, subject, recipients, startedAt, finishedAt } = announcement;
    const isCounted = finishedAt !== null || !channels.includes('EMAIL');
    return {
      id,
      campaignId,
      status,
      channels: [...channels],
      title,
      body,
      subject,
      recipients,
      ...countsOf(announcement, isCounted ? {} : await deliveries.countOf(id)),
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt?.toISOString() ?? null,
    };
  }
}

function pathOf({ id, campaignId }: Announcement): string {
  return `/v1/campaigns/${campaignId}/announcements/${id}`;
}
