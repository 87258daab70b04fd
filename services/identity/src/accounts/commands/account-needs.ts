import type { PasswordRules } from '@storefront/contracts';
import type { AuditLog } from '../../audit/audit.ts';
import type { FactorsArea } from '../../factors/factors.ts';
import type { Codes } from '../../secrets/codes.ts';
import type { Passwords } from '../../secrets/passwords.ts';
import type { SessionsArea } from '../../sessions/sessions.ts';
import type { Emails } from '../../store/emails.ts';
import type { Users } from '../../store/users.ts';
import type { FlowIds } from '../secrets/flow-ids.ts';
import type { PasswordTags } from '../secrets/password-tags.ts';
import type { CodeCounts } from '../store/code-counts.ts';
import type { Decoys } from '../store/decoys.ts';
import type { EmailChanges } from '../store/email-changes.ts';
import type { Recoveries } from '../store/recoveries.ts';
import type { Registrations } from '../store/registrations.ts';
import type { Reversals } from '../store/reversals.ts';
import type { SenderBudgets } from '../store/sender-budgets.ts';

/** The stores, secrets and other areas that the commands of this area use. */
export interface AccountNeeds {
  readonly auditLog: AuditLog;
  readonly sessions: SessionsArea;
  readonly factors: FactorsArea;
  readonly users: Users;
  readonly emails: Emails;
  readonly registrations: Registrations;
  readonly recoveries: Recoveries;
  readonly emailChanges: EmailChanges;
  readonly reversals: Reversals;
  readonly codeCounts: CodeCounts;
  readonly senderBudgets: SenderBudgets;
  readonly decoys: Decoys;
  readonly passwords: Passwords;
  readonly passwordRules: PasswordRules;
  readonly passwordTags: PasswordTags;
  readonly codes: Codes;
  readonly flowIds: FlowIds;
  readonly now: () => Date;
}
