import type { TradeAccount } from '@storefront/client';
import { api } from '../../api/client.ts';
import { t } from '../../language/index.ts';
import { Action } from '../../parts/action.tsx';
import type { Tone } from '../../parts/basics.tsx';
import { TextField } from '../../parts/form.tsx';

type Verdict = 'approve' | 'requestInfo' | 'reject' | 'suspend' | 'reinstate';

const { tradeAccounts } = api;
const calls = {
  approve: tradeAccounts.approveTradeAccount,
  requestInfo: tradeAccounts.requestInfoTradeAccount,
  reject: tradeAccounts.rejectTradeAccount,
  suspend: tradeAccounts.suspendTradeAccount,
  reinstate: tradeAccounts.reinstateTradeAccount,
};

// What can be decided in which state. Somebody who was asked for more has to answer first.
const possible: Readonly<Record<string, readonly Verdict[]>> = {
  'pending-approval': ['approve', 'requestInfo', 'reject'],
  approved: ['suspend'],
  suspended: ['reinstate'],
};
const tones: Partial<Record<Verdict, Tone>> = {
  approve: 'primary',
  reinstate: 'primary',
  reject: 'danger',
  suspend: 'danger',
};

/** What can be decided about an account; each decision mails the applicant. */
export function Verdicts({ account }: { account: TradeAccount }) {
  return (possible[account.status] ?? []).map((verdict) => {
    const needsReason = verdict !== 'approve' && verdict !== 'reinstate';
    const needsCountry = verdict === 'approve' && account.trade.country === null;
    return (
      <Action
        key={verdict}
        title={t.trade.verdicts[verdict]}
        tone={tones[verdict] ?? 'plain'}
        initial={{ reason: '', country: '' }}
        fields={({ values, set }) => (
          <>
            <p>{t.trade.mailed(account.email)}</p>
            {verdict === 'approve' && <p>{t.trade.approveNote}</p>}
            {needsCountry && (
              <TextField
                label={t.trade.country}
                value={values.country}
                onChange={(country) => set('country', country.toUpperCase())}
                pointer="/country"
                hint={t.trade.countryHint}
                required
              />
            )}
            <TextField
              label={t.reason}
              rows={3}
              value={values.reason}
              onChange={(reason) => set('reason', reason)}
              required={needsReason}
              pointer="/reason"
              hint={t.trade.reasonHint}
            />
          </>
        )}
        run={({ reason, country }) => {
          const input = { params: { id: account.id } };
          return verdict === 'approve'
            ? calls.approve(
                { ...input, body: { ...(reason && { reason }), ...(country && { country }) } },
                { of: account },
              )
            : calls[verdict]({ ...input, body: { reason } }, { of: account });
        }}
        snippet={({ reason }) => ({
          area: 'tradeAccounts',
          id: `${verdict}TradeAccount`,
          input: { params: { id: account.id }, body: { reason } },
        })}
      />
    );
  });
}
