import type { Credit } from '@storefront/client';
import { api } from '../../api/client.ts';
import { parseAmount, typedAmount } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Action } from '../../parts/action.tsx';
import { Check, MoneyField, TextField } from '../../parts/form.tsx';
import { saveOver } from '../../shell/save-over.ts';

/** Sets the limit, the term and the hold of an account. */
export function Terms({ credit }: { credit: Credit }) {
  const { currency } = credit.outstanding;
  interface Values {
    limit: string;
    termsDays: string;
    hold: boolean;
  }
  const bodyOf = ({ limit, termsDays, hold }: Values) => {
    const amount = parseAmount(limit, currency);
    return {
      limit: limit.trim() === '' || amount === null ? null : { amount, currency },
      termsDays: Number(termsDays),
      hold,
    };
  };
  return (
    <Action<Values>
      title={t.trade.changeTerms}
      verb={t.save}
      initial={{
        limit: credit.limit ? typedAmount(credit.limit) : '',
        termsDays: String(credit.termsDays),
        hold: credit.holdReason === 'administrator',
      }}
      fields={({ values, set }) => (
        <>
          <MoneyField
            label={t.trade.limit}
            hint={t.trade.limitHint}
            currency={currency}
            value={values.limit}
            onChange={(limit) => set('limit', limit)}
            pointer="/limit"
          />
          <TextField
            label={t.trade.termsDays}
            type="number"
            value={values.termsDays}
            onChange={(days) => set('termsDays', days)}
            pointer="/termsDays"
            required
          />
          <Check label={t.trade.holdIt} checked={values.hold} onChange={(hold) => set('hold', hold)} />
        </>
      )}
      run={(values) =>
        saveOver(credit, bodyOf(values), (body, of) =>
          api.invoicesOfAccounts.setCredit(
            { params: { id: credit.accountId }, body: { ...bodyOf(values), ...body } },
            { of },
          ),
        )
      }
      snippet={(values) => ({
        area: 'invoicesOfAccounts',
        id: 'setCredit',
        input: { params: { id: credit.accountId }, body: bodyOf(values) },
      })}
    />
  );
}
