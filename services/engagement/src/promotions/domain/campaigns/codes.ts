import {
  changed,
  engagementErrors,
  engagementFields,
  type Decision,
  type engagementHttp,
  type Fact,
  type FieldError,
  type StateOf,
} from '@storefront/contracts';
import type { CsvCell } from '@storefront/csv';
import { z } from 'zod';
import { statusOf, type Campaign } from './rules.ts';

/**
 * A code with which shoppers ask for a campaign. Its id is the code in upper case, so that the code is unique among all
 * campaigns.
 */
export const campaignCode = z.object({
  id: z.string(),
  campaignId: z.string(),
  /** How many held and confirmed redemptions used the code. Redemptions update this count. */
  uses: z.int(),
  maximumUses: z.int().nullable(),
  endedAt: z.date().nullable(),
  createdAt: z.date(),
  /** Identifies the request that added the code. */
  batch: z.string(),
});
export type CampaignCode = StateOf<typeof campaignCode>;

/** All codes of a campaign together. The id is the campaign's id. */
export const codeList = z.object({
  id: z.string(),
  /** How many codes there are, also ended ones. */
  count: z.int(),
});
export type CodeList = StateOf<typeof codeList>;

/** Letters and digits that are not easily confused: without 0, 1, I, L and O. */
export const codeAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** The most codes of a campaign. This number can still be deleted with the campaign in one transaction. */
export const maxCodes = 100_000;

/** Returns a code with a random part. `randomBelow(n)` must return each whole number below n equally often. */
export function randomCode(prefix: string, length: number, randomBelow: (n: number) => number): string {
  return prefix + Array.from({ length }, () => codeAlphabet.charAt(randomBelow(codeAlphabet.length))).join('');
}

/** Returns a fault for each code that occurs a second time in a request. */
export function repeatedCodes({ codes = [] }: Partial<engagementHttp.CodesToAdd>): FieldError[] {
  return codes.flatMap((code, place) =>
    codes.indexOf(code) < place ? [engagementFields.codeTwice(`/codes/${place}`)] : [],
  );
}

/**
 * Throws `campaign_without_codes` for an automatic campaign, and `campaign_not_in_state` for a campaign that has ended.
 */
export function assertTakesCodes(campaign: Campaign, now: Date): void {
  if (campaign.trigger === 'automatic') throw engagementErrors.campaignWithoutCodes();
  const status = statusOf(campaign, now);
  if (status === 'ended') throw engagementErrors.campaignNotInState(status);
}

/** Adds to the count of a campaign's codes. Throws `too_many_campaign_codes`. */
export function addToList(list: CodeList, added: number, facts: readonly Fact[]): Decision<CodeList, CodeList> {
  const count = list.count + added;
  if (count > maxCodes) throw engagementErrors.tooManyCampaignCodes(maxCodes - list.count);
  return changed({ ...list, count }, facts);
}

/** The columns of a CSV export. */
export const codeColumns = ['code', 'uses', 'maximum_uses', 'ended_at', 'created_at'];

/** The cells of a code in a CSV export. */
export function codeCells({ id, uses, maximumUses, endedAt, createdAt }: CampaignCode): CsvCell[] {
  return [id, uses, maximumUses, endedAt?.toISOString() ?? null, createdAt.toISOString()];
}
