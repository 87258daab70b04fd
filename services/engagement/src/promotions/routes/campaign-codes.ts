import { randomUUID } from 'node:crypto';
import { allPages, audited, notFound, type engagementHttp, type engagementOperations } from '@storefront/contracts';
import { createCsv, csvMediaType } from '@storefront/csv';
import { actorOf, seedOf, streamPages, type Cursors, type Handlers } from '@storefront/http';
import { addCodes, endCode, type CodeNeeds } from '../commands/codes.ts';
import { codeCells, codeColumns, repeatedCodes, type CampaignCode } from '../domain/campaigns/codes.ts';
import type { AuditNotes } from '@storefront/mongo';

type CodeOperation = 'addCampaignCodes' | 'listCampaignCodes' | 'exportCampaignCodes' | 'endCampaignCode';

interface Needs extends CodeNeeds {
  readonly cursors: Cursors;
  readonly auditNotes: AuditNotes;
}

const exportedAtOnce = 1000;

/** The routes for staff to add codes to campaigns, and to list, export and end them. */
export function campaignCodeHandlers(needs: Needs): Pick<Handlers<typeof engagementOperations>, CodeOperation> {
  const { campaigns, campaignCodes, cursors } = needs;

  return {
    addCampaignCodes: {
      check: repeatedCodes,
      async handle(request, reply) {
        const { id: campaignId } = request.params;
        const batch = seedOf(request) ?? randomUUID();
        const adding = { campaignId, batch, input: request.body, actor: actorOf(request) };
        const codes = await addCodes(needs, adding);
        void reply.header('location', `/v1/campaigns/${campaignId}/codes`);
        return showAdded(campaignId, codes);
      },
      async again(request) {
        const added = await campaignCodes.ofBatch(seedOf(request) ?? '');
        if (added.length === 0) throw notFound('codes');
        return showAdded(request.params.id, request.body.codes ?? added);
      },
    },

    async listCampaignCodes({ caller, params: { id }, query }) {
      await assertExists(id);
      return cursors.page(
        { list: `codes ${id}`, owner: caller.sub, query },
        (slice) => campaignCodes.list(id, slice),
        showCode,
      );
    },

    async exportCampaignCodes(request, reply) {
      const { id } = request.params;
      await assertExists(id);
      const object = { type: 'campaign', id };
      await needs.auditNotes.add(audited('engagement', actorOf(request), 'codes-exported', { object }));
      const pages = allPages((slice) => campaignCodes.list(id, slice), exportedAtOnce);
      const { head, lines } = createCsv(codeColumns, request.query.dialect);
      const text = await streamPages(head, pages, (codes) => lines(codes.map(codeCells)));
      return reply
        .header('content-disposition', `attachment; filename="codes-${id}.csv"`)
        .type(csvMediaType)
        .send(text);
    },

    async endCampaignCode(request) {
      const { id: campaignId, code } = request.params;
      await endCode(needs, { campaignId, code, actor: actorOf(request) });
      return null;
    },
  };

  async function assertExists(campaignId: string): Promise<void> {
    if (!(await campaigns.load(campaignId))) throw notFound('campaign');
  }
}

function showAdded(campaignId: string, codes: readonly string[]) {
  return { campaignId, count: codes.length, codes: [...codes] };
}

function showCode({ id, uses, maximumUses, endedAt, createdAt }: CampaignCode): engagementHttp.CampaignCodeBody {
  return {
    code: id,
    uses,
    maximumUses,
    endedAt: endedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
