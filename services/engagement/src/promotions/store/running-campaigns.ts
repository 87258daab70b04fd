import type { Loaded } from '@storefront/mongo';
import { byPriority, notBefore, rulesOf, type Campaign, type CampaignRules } from '../domain/campaigns/rules.ts';
import {
  compile,
  indexOf,
  type CampaignIndex,
  type CompiledCampaign,
} from '../domain/evaluation/compiled-campaigns.ts';
import type { CampaignVersions } from './campaign-versions.ts';
import type { CampaignReads } from './campaigns.ts';

/** A campaign that is no draft, ready to be evaluated. */
export interface RunningCampaign {
  readonly rules: CampaignRules;
  readonly compiled: CompiledCampaign;
  /** The version of the campaign when it was read. The present version is in `campaign_usage`. */
  readonly version: number;
}

/**
 * All campaigns that are activated or paused and have not ended, at one moment. The caller still has to compare their
 * times with the clock.
 */
export interface CampaignsOfMoment {
  readonly version: number;
  readonly byId: ReadonlyMap<string, RunningCampaign>;
  /** The activated automatic campaigns, by priority, then by id. */
  readonly automatic: readonly RunningCampaign[];
  /** Finds the campaigns of `automatic` that could apply to a cart. */
  readonly index: CampaignIndex;
  /**
   * When a campaign was last activated; null where none was. By the clock of another instance this may be later than
   * now.
   */
  readonly lastActivation: Date | null;
}

export interface RunningCampaigns {
  /**
   * Returns the running campaigns, with every change that was acknowledged before the call. While nothing has changed,
   * this needs only one small read.
   */
  present(): Promise<CampaignsOfMoment>;
  /**
   * Returns the campaigns of the last read without reading again; null before the first read. They are up to date only
   * if their version is still the present one.
   */
  remembered(): CampaignsOfMoment | null;
  /** Returns the campaigns among these that were ever activated, also ended ones. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, RunningCampaign>>;
}

export function openRunningCampaigns({
  campaigns,
  campaignVersions,
}: {
  readonly campaigns: CampaignReads;
  readonly campaignVersions: Pick<CampaignVersions, 'present'>;
}): RunningCampaigns {
  let known: CampaignsOfMoment | null = null;
  let reading: { readonly version: number; readonly underWay: Promise<CampaignsOfMoment> } | null = null;

  async function read(version: number): Promise<CampaignsOfMoment> {
    // A change during this read may be in the result already. It is read again with the next version.
    const found = await campaigns.running();
    const byId = toRunning(found);
    const automatic = [...byId.values()]
      .filter(({ rules: { trigger, stage } }) => trigger === 'automatic' && stage === 'activated')
      .toSorted((a, b) => byPriority(a.rules, b.rules));
    const activations = found.flatMap(({ state: { activatedAt } }) => activatedAt ?? []);
    return {
      version,
      byId,
      automatic,
      index: indexOf(automatic.map(({ compiled }) => compiled)),
      lastActivation: activations.reduce<Date | null>((last, at) => notBefore(at, last), null),
    };
  }

  async function readOnce(version: number): Promise<CampaignsOfMoment> {
    const underWay = read(version);
    const mine = { version, underWay };
    reading = mine;
    try {
      const found = await underWay;
      // A slow read must not replace the result of a later one.
      if (known === null || known.version < version) known = found;
      return found;
    } finally {
      if (reading === mine) reading = null;
    }
  }

  return {
    async present() {
      const version = await campaignVersions.present();
      if (known !== null && known.version >= version) return known;
      return reading !== null && reading.version >= version ? reading.underWay : readOnce(version);
    },

    remembered: () => known,

    async find(ids) {
      const found = await Promise.all([...new Set(ids)].map((id) => campaigns.load(id)));
      return toRunning(found.filter((one) => one !== null));
    },
  };
}

function toRunning(found: readonly Loaded<Campaign>[]): Map<string, RunningCampaign> {
  return new Map(
    found.flatMap(({ state, version }): [string, RunningCampaign][] => {
      const rules = state.stage === 'draft' ? null : rulesOf(state);
      return rules === null ? [] : [[state.id, { rules, compiled: compile(rules), version }]];
    }),
  );
}
