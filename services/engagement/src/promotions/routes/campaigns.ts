import { notFound, type engagementOperations } from '@storefront/contracts';
import { actorOf, etagOf, ifMatch, newIdFor, type Cursors, type Handler, type Handlers } from '@storefront/http';
import {
  changeCampaign,
  changeStage,
  createCampaign,
  deleteCampaign,
  type CampaignNeeds,
  type StageAction,
} from '../commands/campaigns.ts';
import { pageOfActive } from '../domain/campaigns/active-campaigns.ts';
import { showActiveCampaign, showCampaign } from '../domain/campaigns/campaign-body.ts';
import { faultsOf } from '../domain/campaigns/faults.ts';
import { notBefore } from '../domain/campaigns/rules.ts';
import type { CampaignWithUsage } from '../store/campaigns.ts';
import type { RunningCampaigns } from '../store/running-campaigns.ts';

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

interface Needs extends CampaignNeeds {
  readonly runningCampaigns: RunningCampaigns;
  readonly cursors: Cursors;
  /** The shop's currency. */
  readonly currency: string;
}

/** The routes for staff to manage campaigns, and for everybody to list the active ones. */
export function campaignHandlers(needs: Needs): Pick<Handlers<typeof engagementOperations>, CampaignOperation> {
  const { campaigns, runningCampaigns, cursors, databaseNow } = needs;
  const show = ({ state, usage }: CampaignWithUsage) => showCampaign(state, usage, databaseNow());

  return {
    listCampaigns({ caller, query }) {
      const { status } = query;
      const of = status === undefined ? null : { status, now: databaseNow() };
      return cursors.page({ list: 'campaigns', owner: caller.sub, query }, (slice) => campaigns.list(of, slice), show);
    },

    listActiveCampaigns({ caller, query }) {
      const segment = caller?.role === 'trade' ? 'trade' : 'retail';
      return cursors.page(
        { list: `active campaigns ${segment}`, owner: '', query },
        async (slice) => {
          const { automatic, lastActivation } = await runningCampaigns.present();
          return pageOfActive(automatic, { segment, now: notBefore(databaseNow(), lastActivation) }, slice);
        },
        ({ rules }) => showActiveCampaign(rules),
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
      // The right currency depends on the stored campaign, so it is checked later.
      check: (body) => faultsOf(body, null),
      async handle(request, reply) {
        return answer(reply, await changeCampaign(needs, request.body, addressed(request)));
      },
    },

    async deleteCampaign(request) {
      await deleteCampaign(needs, addressed(request));
      return null;
    },

    activateCampaign: stageHandler('campaign-activated'),
    pauseCampaign: stageHandler('campaign-paused'),
    endCampaign: stageHandler('campaign-ended'),
  };

  function stageHandler(
    action: StageAction,
  ): Handler<(typeof engagementOperations)['activateCampaign' | 'pauseCampaign' | 'endCampaign']> {
    return {
      handle: async (request, reply) => answer(reply, await changeStage(needs, action, addressed(request))),
      again: async ({ params }, reply) => answer(reply, await present(params.id)),
    };
  }

  function addressed(request: Parameters<typeof ifMatch>[0] & { readonly params: { readonly id: string } }) {
    return { id: request.params.id, actor: actorOf(request), expect: ifMatch(request) };
  }

  async function present(id: string): Promise<CampaignWithUsage> {
    const found = await campaigns.find(id);
    if (!found) throw notFound('campaign');
    return found;
  }

  // The tag is weak, because it is only the version of the campaign. Usage and status change without a new version.
  function answer(reply: { header(name: string, value: string): unknown }, campaign: CampaignWithUsage) {
    void reply.header('etag', `W/${etagOf(campaign.version)}`);
    return show(campaign);
  }
}
