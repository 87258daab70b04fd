import type { Code } from '../domain/evaluation/asked-codes.ts';
import type { Asker } from '../domain/evaluation/asker.ts';
import type { CodeGuesses } from '../store/code-guesses.ts';
import type { LimitCounts } from '../store/limit-counts.ts';

export interface CodeNeeds {
  readonly codeGuesses: CodeGuesses;
  readonly limitCounts: Pick<LimitCounts, 'find'>;
}

/**
 * Those of the codes that exist. Throws `too_many_unknown_codes` where the user or the client's network has tried too many that do
 * not; administrators, who can list all codes, may try any number.
 */
export async function lookUpCodes(
  { codeGuesses, limitCounts }: CodeNeeds,
  { userId, isAdmin }: Asker,
  ip: string | null,
  codes: readonly string[],
): Promise<ReadonlyMap<string, Code>> {
  const find = async () => (await limitCounts.find({ codes, userIds: [] })).codes;
  return isAdmin ? find() : codeGuesses.lookUp({ userId, ip }, codes, find);
}
