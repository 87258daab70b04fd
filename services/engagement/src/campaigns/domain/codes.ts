import { changed, engagementErrors } from '@storefront/contracts';
import type { Decision, Fact } from '@storefront/contracts';

/** A code by which shoppers ask for a campaign; its id is the code in upper case. */
export interface CampaignCode {
  readonly id: string;
  readonly campaignId: string;
  /** Held and confirmed redemptions by it. */
  readonly uses: number;
  readonly maximumUses: number | null;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
  /** Names the request by which it was added. */
  readonly batch: string;
}

/** The codes of a campaign together; the id is the campaign's. */
export interface CodeList {
  readonly id: string;
  /** How many there are, ended ones too. */
  readonly count: number;
}

/** Letters and digits that are not taken for each other: without 0, O, 1, I and L. */
export const codeAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** So many codes can be deleted with their campaign in one transaction. */
export const maxCodes = 100_000;

/** A code with a random part. `randomBelow(n)` returns each whole number below n equally often. */
export function randomCode(prefix: string, length: number, randomBelow: (n: number) => number): string {
  return prefix + Array.from({ length }, () => codeAlphabet.charAt(randomBelow(codeAlphabet.length))).join('');
}

/** Counts codes that are added. Throws `too_many_codes`. */
export function addToList(list: CodeList, added: number, facts: readonly Fact[]): Decision<CodeList, CodeList> {
  const count = list.count + added;
  if (count > maxCodes) throw engagementErrors.tooManyCodes(maxCodes - list.count);
  return changed({ ...list, count }, facts);
}
