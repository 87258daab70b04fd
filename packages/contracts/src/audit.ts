import { auditEvents, type AuditDetails, type AuditRecord } from './events/audit.ts';
import { fact, type Fact } from './event.ts';
import { isId } from './ids.ts';

export type { AuditDetails, AuditRecord } from './events/audit.ts';

/** Who performs an action, as the request or the command line shows it. */
export interface Actor {
  /** The id of the user; null if no user is known, and for the operator. */
  readonly userId: string | null;
  /**
   * The user's role; `nobody` without a login, `operator` for the command line, `system` for an action that no person
   * started.
   */
  readonly role: string;
  readonly ip: string | null;
  /** The `User-Agent` of the request. */
  readonly device: string | null;
}

/** The operator, who runs commands or sets the configuration. */
export const operator: Actor = { userId: null, role: 'operator', ip: null, device: null };

/** The actor of an action that no person started, such as the end of an erasure after the last service has answered. */
export const system: Actor = { userId: null, role: 'system', ip: null, device: null };

/** The actor after a login: somebody who was not logged in has just proved to be this user. */
export function actingAs({ ip, device }: Actor, { id, role }: { readonly id: string; readonly role: string }): Actor {
  return { userId: id, role, ip, device };
}

/** All actions that the audit log records. To add a new action, add a line here; nothing else has to change. */
export const auditActions = {
  login: 'a login by password, code, passkey or second factor, or the refusal of one',
  logout: 'a logout on every device',
  'session-ended': 'one device was logged out',
  'refresh-token-reused': 'a refresh token was used twice, so its session was ended',
  'registration-begun': 'somebody registered, and a code was sent',
  'code-requested': 'a code to prove an email was sent again',
  'code-entered': 'a code to prove an email was right, or refused',
  'recovery-requested': 'a code for a new password was requested',
  'password-reset': 'a password was set by a code, or the code was refused',
  'password-changed': 'a password was changed by the current one',
  'email-change-requested': 'somebody wants to have another email, and a code was sent to it',
  'email-changed': 'an email was replaced by another one, or the code was refused',
  'changes-reverted': 'changes of email, password or second factors were undone by the link in a mail',
  reauthenticated: 'somebody who is logged in proved once more who is calling, or was refused',
  'factor-added': 'a second factor or a passkey was added',
  'factor-removed': 'a second factor or a passkey was removed',
  'recovery-codes-renewed': 'new recovery codes were made',
  'export-requested': 'somebody asked for a copy of their data, or an administrator for that of somebody',
  'export-read': 'an administrator read the copy of the data of somebody',
  'erasure-requested': 'somebody asked for the erasure of their account, or an administrator for that of somebody',
  'erasure-finished': 'an account was erased',
  'administrator-created': 'an administrator was created',
  'role-changed': 'somebody became staff, got another role, or lost it',
  'api-token-created': 'an API token for a program was created',
  'api-token-revoked': 'an API token was revoked',
  'staff-disabled': 'a member of the staff was disabled',
  'staff-enabled': 'a disabled member of the staff was enabled',
  'staff-sessions-ended': 'a member of the staff was logged out on every device by an administrator',
  'trade-account-approved': 'an application was approved',
  'trade-account-rejected': 'an application was rejected',
  'trade-account-info-requested': 'an applicant was asked for more',
  'trade-account-resubmitted': 'an applicant who was asked for more submitted the application again',
  'trade-account-changed': 'the country of a trade account was corrected',
  'trade-account-suspended': 'a trade account was suspended',
  'trade-account-reinstated': 'a suspension was ended',
  'access-refused': 'a request was refused for the role of its caller; `attempts` says how many were within a minute',
  'keys-rotated': 'the keys that sign tokens were rotated',
  'audit-exported': 'the audit log was exported',
  'codes-exported': 'the codes of a campaign were exported',
  'report-exported': 'a report was exported as CSV',
  'callback-read': 'the body of a callback of a payment provider was read',
  'product-created': 'a product was created',
  'product-changed': 'a product was changed, its prices and stock apart',
  'product-deleted': 'a product was deleted',
  'price-changed': 'a price of a product was changed',
  'stock-changed': 'the stock of a product was changed',
  'variant-created': 'a variant was added to a product',
  'variant-changed': 'a variant of a product was changed, its prices and stock apart',
  'variant-deleted': 'a variant of a product was deleted',
  'category-created': 'a category was created',
  'category-changed': 'a category was changed or moved',
  'category-deleted': 'a category was deleted',
  'import-begun': 'an import of products began',
  'import-finished': 'an import of products ended',
  'notification-sent': 'staff sent a message',
  'delivery-retried': 'staff sent a delivery again',
  'campaign-announced': 'a campaign was announced to the people of its segment',
  'announcement-stopped': 'an announcement was stopped, by staff or with its campaign',
  'campaign-created': 'a campaign was created as a draft',
  'campaign-changed': 'a campaign was changed',
  'campaign-activated': 'a campaign was activated, or a paused one goes on',
  'campaign-paused': 'a campaign was paused',
  'campaign-ended': 'a campaign was ended for good',
  'campaign-deleted': 'a campaign was deleted with its codes',
  'codes-added': 'codes were added to a campaign',
  'code-ended': 'a code of a campaign was ended',
  'invoice-issued': 'staff issued an invoice',
  'invoice-voided': 'an invoice was voided',
  'credit-note-issued': 'an invoice was credited, or a part of it',
  'credit-set': 'the credit of a trade account was set',
  'payment-allocated': 'staff said what unallocated money is for',
  'callback-replayed': 'the work of a callback was done again',
  'dead-letters-replayed': 'an administrator sent dead letters back to their queues',
  'dead-letters-dropped': 'an administrator deleted dead letters',
  'order-shipped': 'pieces of an order were shipped',
  'order-cancelled': 'staff cancelled an order',
  'order-reduced': 'a part of an order was cancelled',
  'order-refunded': 'a part of what an order has cost was refunded',
  'order-return-requested': 'staff announced that pieces of an order come back',
  'order-return-withdrawn': 'staff noted that pieces of an order do not come back',
  'order-returned': 'pieces of an order came back',
  'order-changed': 'the address or the note of an order was changed',
  'order-mailed': 'a mail about an order was sent again',
  'order-delivered': 'all that was shipped of an order was delivered',
  'shipping-option-created': 'a shipping option was created',
  'shipping-option-changed': 'a shipping option was changed',
  'shipping-option-deleted': 'a shipping option was deleted',
  'tax-rates-set': 'the tax rates were set',
  'redemption-released': 'staff gave back the discounts of an order',
} as const;

export type AuditAction = keyof typeof auditActions;

interface Audited {
  readonly object: { readonly type: string; readonly id: string | null };
  /** The id of the user whose account the action concerns. By default the id of `object`, if that is a user. */
  readonly about?: string | null;
  /** The code of the error for which the action was refused; missing if the action was carried out. */
  readonly refused?: string;
  /** What changed, in a few words. Must not contain secrets, codes, passwords or tokens. */
  readonly details?: AuditDetails;
}

const longest = { device: 300, text: 300, details: 20 };

/**
 * Makes the audit log entry for an action. Each text is cut to 300 characters and the details to 20, so that an entry
 * stays small whatever a client sends.
 */
export function auditRecord(actor: Actor, action: AuditAction, { object, refused, ...more }: Audited): AuditRecord {
  const { about = object.id !== null && isId('user', object.id) ? object.id : null, details = {} } = more;
  const short = (value: AuditDetails[string]) => (typeof value === 'string' ? value.slice(0, longest.text) : value);
  return {
    actor: {
      userId: actor.userId,
      role: actor.role,
      ip: actor.ip?.slice(0, 64) ?? null,
      device: actor.device?.slice(0, longest.device) ?? null,
    },
    action,
    object: { type: object.type, id: object.id?.slice(0, 100) ?? null },
    about,
    outcome: refused === undefined ? 'done' : 'refused',
    reason: refused ?? null,
    details: Object.fromEntries(
      Object.entries(details)
        .slice(0, longest.details)
        .map(([name, value]) => [name, short(value)]),
    ),
  };
}

/**
 * The event that records an action in the audit log. Store it in the same write as the change: `withFacts(decision,
 * audited(…))`.
 */
export function audited(
  service: keyof typeof auditEvents,
  actor: Actor,
  action: AuditAction,
  what: Audited & { readonly object: { readonly id: string } },
): Fact {
  return fact(auditEvents[service], what.object.id, auditRecord(actor, action, what));
}
