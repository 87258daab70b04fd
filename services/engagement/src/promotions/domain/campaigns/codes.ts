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
import { z } from 'zod';
import { statusOf, type Campaign } from './rules.ts';

/** A code by which shoppers ask for a campaign; its id is the code in upper case, so that it is unique among all campaigns. */
export const campaignCode = z.object({
  id: z.string(),
  campaignId: z.string(),
  /** Held and confirmed redemptions by it; redemptions write it. */
  uses: z.int(),
  maximumUses: z.int().nullable(),
  endedAt: z.date().nullable(),
  createdAt: z.date(),
  /** Names the request by which it was added. */
  batch: z.string(),
});
export type CampaignCode = StateOf<typeof campaignCode>;

/** The codes of a campaign together; the id is the campaign's. */
export interface CodeList {
  readonly id: string;
  /** How many there are, ended ones too. */
  readonly count: number;
}

/** Letters and digits that nobody confuses: without 0, O, 1, I and L. */
export const codeAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** So many codes can be deleted with their campaign in one transaction. */
export const maxCodes = 100_000;

/** A code with a random part. `randomBelow(n)` returns each whole number below n equally often. */
export function randomCode(prefix: string, length: number, randomBelow: (n: number) => number): string {
  return prefix + Array.from({ length }, () => codeAlphabet.charAt(randomBelow(codeAlphabet.length))).join('');
}

/** The codes that stand a second time in a request. */
export function repeatedCodes({ codes = [] }: Partial<engagementHttp.CodesToAdd>): FieldError[] {
  return codes.flatMap((code, place) =>
    codes.indexOf(code) < place ? [engagementFields.codeTwice(`/codes/${place}`)] : [],
  );
}

/** Throws `campaign_without_codes` for an automatic campaign, and `campaign_not_in_state` for one that has ended. */
export function assertTakesCodes(campaign: Campaign, now: Date): void {
  if (campaign.trigger === 'automatic') throw engagementErrors.campaignWithoutCodes();
  const status = statusOf(campaign, now);
  if (status === 'ended') throw engagementErrors.campaignNotInState(status);
}

/** Counts codes that are added. Throws `too_many_campaign_codes`. */
export function addToList(list: CodeList, added: number, facts: readonly Fact[]): Decision<CodeList, CodeList> {
  const count = list.count + added;
  if (count > maxCodes) throw engagementErrors.tooManyCampaignCodes(maxCodes - list.count);
  return changed({ ...list, count }, facts);
}

/** The names of the columns of an export. */
export const codeColumns = 'code,uses,maximum_uses,ended_at,created_at\r\n';

/** One line of CSV (RFC 4180). No cell needs quotes, and none is a formula: a code begins with a letter or digit. */
export function codeLine({ id, uses, maximumUses, endedAt, createdAt }: CampaignCode): string {
  return `${[id, uses, maximumUses ?? '', endedAt?.toISOString() ?? '', createdAt.toISOString()].join(',')}\r\n`;
}
