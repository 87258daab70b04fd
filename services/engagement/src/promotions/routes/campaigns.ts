import { notFound, type engagementOperations } from '@storefront/contracts';
import { actorOf, etagOf, ifMatch, newIdFor, type Cursors, type Handler, type Handlers } from '@storefront/http';
import { changeCampaign } from '../commands/change-campaign.ts';
import { changeStage } from '../commands/change-stage.ts';
import { createCampaign } from '../commands/create-campaign.ts';
import { deleteCampaign } from '../commands/delete-campaign.ts';
import { pageOfActive } from '../domain/campaigns/active-campaigns.ts';
import { notBefore } from '../domain/campaigns/campaign.ts';
import { faultsOf } from '../domain/campaigns/faults.ts';
import type { Campaigns, CampaignWithUsage } from '../store/campaigns.ts';
import type { RunningCampaigns } from '../store/running-campaigns.ts';
import { showActiveCampaign, showCampaign } from './show-campaign.ts';

type CampaignOperation =
  | 'listCampaigns'
  | 'listActiveCampaigns'
  | 'createCampaign'
  | 'getCampaign'
  | 'changeCampaign'
  | 'deleteCampaign'
  | 'activateCampaign'
  | 'pauseCampaign'
  | 'endCampaign';

interface Needs {
  readonly campaigns: Campaigns;
  readonly runningCampaigns: RunningCampaigns;
  readonly cursors: Cursors;
  /** The shop's. */
  readonly currency: string;
  readonly databaseNow: () => Date;
}

/** Administrators make campaigns; everybody sees those that run. */
export function campaignHandlers(needs: Needs): Pick<Handlers<typeof engagementOperations>, CampaignOperation> {
  const { campaigns, runningCampaigns, cursors, databaseNow } = needs;
  const show = ({ state, usage }: CampaignWithUsage) => showCampaign(state, usage, databaseNow());

  return {
    listCampaigns({ caller, query }) {
      const { status } = query;
      const of = status === undefined ? null : { status, now: databaseNow() };
      return cursors.page({ list: 'campaigns', owner: caller.sub, query }, (slice) => campaigns.list(of, slice), show);
    },

    listActiveCampaigns({ caller, query }, reply) {
      void reply.header('vary', 'Authorization');
      const segment = caller?.role === 'trade' ? 'trade' : 'retail';
      return cursors.page(
        { list: `active campaigns ${segment}`, owner: '', query },
        async (slice) => {
          const { automatic, lastActivation } = await runningCampaigns.present();
          return pageOfActive(automatic, { segment, now: notBefore(databaseNow(), lastActivation) }, slice);
        },
        showActiveCampaign,
      );
    },

    createCampaign: {
      check: (body) => faultsOf(body),
      async handle(request, reply) {
        const id = newIdFor(request, 'camp');
        const created = await createCampaign(needs, { id, input: request.body, actor: actorOf(request) });
        void reply.header('location', `/v1/campaigns/${id}`);
        return answer(reply, created);
      },
      again: async (request, reply) => answer(reply, await present(newIdFor(request, 'camp'))),
    },

    getCampaign: async ({ params }, reply) => answer(reply, await present(params.id)),

    changeCampaign: {
      // In which currency its money has to be depends on what is stored.
      check: (body) => faultsOf(body, null),
      async handle(request, reply) {
        const { params, body: input } = request;
        const change = { id: params.id, input, actor: actorOf(request), expect: ifMatch(request) };
        return answer(reply, await changeCampaign(needs, change));
      },
    },

    async deleteCampaign(request) {
      await deleteCampaign(needs, { id: request.params.id, actor: actorOf(request), expect: ifMatch(request) });
      return null;
    },

    activateCampaign: stageHandler('campaign-activated'),
    pauseCampaign: stageHandler('campaign-paused'),
    endCampaign: stageHandler('campaign-ended'),
  };

  function stageHandler(
    action: Parameters<typeof changeStage>[1],
  ): Handler<(typeof engagementOperations)['activateCampaign' | 'pauseCampaign' | 'endCampaign']> {
    return {
      async handle(request, reply) {
        const change = { id: request.params.id, actor: actorOf(request), expect: ifMatch(request) };
        return answer(reply, await changeStage(needs, action, change));
      },
      again: async ({ params }, reply) => answer(reply, await present(params.id)),
    };
  }

  async function present(id: string): Promise<CampaignWithUsage> {
    const found = await campaigns.find(id);
    if (!found) throw notFound('campaign');
    return found;
  }

  // The tag is weak: it stands for the campaign. Usage and status change without it.
  function answer(reply: { header(name: string, value: string): unknown }, campaign: CampaignWithUsage) {
    void reply.header('etag', `W/${etagOf(campaign.version)}`);
    return show(campaign);
  }
}
