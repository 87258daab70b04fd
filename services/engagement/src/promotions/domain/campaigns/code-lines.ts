import type { CampaignCode } from './codes.ts';

/** The names of the columns of an export. */
export const codeColumns = 'code,uses,maximum_uses,ended_at,created_at\r\n';

/** One line of CSV (RFC 4180). No cell needs quotes, and none is a formula: a code begins with a letter or digit. */
export function codeLine({ id, uses, maximumUses, endedAt, createdAt }: CampaignCode): string {
  return `${[id, uses, maximumUses ?? '', endedAt?.toISOString() ?? '', createdAt.toISOString()].join(',')}\r\n`;
}
