import { commonErrors } from '../errors/common.ts';
import type { Refusal } from '../errors/refusal.ts';
import type { StaffRole } from '../staff.ts';
import type { OperationSpec } from './operation.ts';

type Spec = Pick<OperationSpec, 'access' | 'roles'>;

/**
 * The staff who may call an operation that is only for staff; of an operation for others, those who may do it with what is
 * anybody's. Administrators are among them, unless the operation gives staff no more than others.
 */
export function staffOf({ access, roles }: Spec): readonly StaffRole[] {
  return access === 'admin' || roles ? ['admin', ...(roles ?? [])] : [];
}

/** The refusal of a caller who has none of the roles that the operation asks for. `why` is a sentence. */
export function roleRefusal(spec: Spec, why?: string): Refusal {
  return commonErrors.roleRequired(why).with({ members: { roles: staffOf(spec) } });
}

/** The refusal of an API token without the scope of the operation, or of any where the operation has none. */
export function scopeRefusal({ scope }: Pick<OperationSpec, 'scope'>): Refusal {
  const why = scope === undefined ? 'API tokens may not do this.' : `The API token needs the scope ${scope} for this.`;
  return commonErrors.scopeRequired(why).with({ members: { scope: scope ?? null } });
}

/** Says to readers which staff may call the operation; undefined where staff may do no more than others. */
export function staffInWords(spec: Spec): string | undefined {
  const [admin, ...others] = staffOf(spec);
  return admin && ['administrators', ...others.map((role) => `\`${role}\``)].join(', ');
}
