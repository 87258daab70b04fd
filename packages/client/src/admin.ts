import { clientOf, type ClientOf, type ClientOptions } from './client.ts';
import { areas as shop } from './generated/shop.ts';
import { areas as staff } from './generated/staff.ts';

type Shop = typeof shop;
type Staff = typeof staff;

/** The client of the staff of a shop: every operation. */
export type AdminClient = ClientOf<{ [Name in keyof Shop | keyof Staff]: In<Shop, Name> & In<Staff, Name> }>;

type In<Areas, Name> = Name extends keyof Areas ? Areas[Name] : unknown;

/** Makes a client of every operation, those of the shop's staff too. */
export function createAdminClient(options: ClientOptions): AdminClient {
  const areas: Record<string, string> = { ...shop };
  for (const [name, area] of Object.entries(staff)) areas[name] = [areas[name], area].join('\n\n');
  return clientOf(areas, options) as unknown as AdminClient;
}
