import type { AuditLog } from '../../audit/audit.ts';
import type { AdminMfa } from '../../domain/session-role.ts';
import type { SessionsArea } from '../../sessions/sessions.ts';
import type { Users } from '../../store/users.ts';
import type { OpaqueTokens } from '../../secrets/opaque-tokens.ts';
import type { RecoveryCodes } from '../secrets/recovery-codes.ts';
import type { TotpSecrets } from '../secrets/totp.ts';
import type { Webauthn } from '../secrets/webauthn.ts';
import type { Challenges } from '../store/challenges.ts';
import type { ControlChanges } from '../store/control-changes.ts';
import type { FactorStore } from '../store/factors.ts';
import type { MfaTokens } from '../store/mfa-tokens.ts';

/** The stores, secrets and other areas that the commands of this area use. */
export interface FactorNeeds {
  readonly auditLog: AuditLog;
  readonly sessions: SessionsArea;
  readonly users: Users;
  readonly factors: FactorStore;
  readonly controlChanges: ControlChanges;
  readonly mfaTokens: MfaTokens;
  readonly challenges: Challenges;
  readonly adminMfa: AdminMfa;
  readonly totpSecrets: TotpSecrets;
  readonly recoveryCodes: RecoveryCodes;
  readonly newMfaTokens: OpaqueTokens;
  readonly webauthn: Webauthn;
  readonly now: () => Date;
}
