import { bodyField, commonErrors } from '@storefront/contracts';

/** Whose cart it is, and what the request may say of it. */
export interface Asker {
  readonly segment: 'retail' | 'trade';
  /** Null where nobody is signed in, and for an administrator who names nobody. */
  readonly userId: string | null;
  readonly isAdmin: boolean;
}

/** What only an administrator may state. */
interface Stated {
  readonly segment?: Asker['segment'] | undefined;
  readonly userId?: string | undefined;
  readonly at?: Date | undefined;
  readonly lines: readonly { readonly unitPrice?: number | undefined }[];
}

/**
 * Whose cart it is. Throws `admin_required` where somebody else than an administrator states what only one may; every such field is
 * named.
 */
export function askerOf(caller: { readonly sub: string; readonly role: string } | null, stated: Stated): Asker {
  if (caller?.role === 'admin')
    return { segment: stated.segment ?? 'retail', userId: stated.userId ?? null, isAdmin: true };
  const pointers = (['segment', 'userId', 'at'] as const).flatMap((name) =>
    stated[name] === undefined ? [] : [`/${name}`],
  );
  for (const [index, { unitPrice }] of stated.lines.entries())
    if (unitPrice !== undefined) pointers.push(`/lines/${index}/unitPrice`);
  if (pointers.length > 0)
    throw commonErrors.adminRequired('Only an administrator may state these fields.').with({
      fields: pointers.map((at) => bodyField(at, 'admin_required', 'may only be stated by an administrator')),
    });
  return { segment: caller?.role === 'trade' ? 'trade' : 'retail', userId: caller?.sub ?? null, isAdmin: false };
}
