import { useParams } from '@tanstack/react-router';
import { api, mayCall } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { date, dateTime, money, number } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Action, saveFile } from '../../parts/action.tsx';
import {
  A,
  Badge,
  Button,
  Card,
  Columns,
  Facts,
  Loading,
  Note,
  PageHead,
  Problem,
  Stack,
} from '../../parts/basics.tsx';
import form from '../../parts/form.module.css';
import { Pieces, TextField } from '../../parts/form.tsx';
import { useRole } from '../../shell/session.ts';

const nothingCredited: { pieces: Record<string, number>; reason: string } = { pieces: {}, reason: '' };

export function Invoice() {
  const { id = '', invoiceId = '' } = useParams({ strict: false });
  const role = useRole();
  const { data: invoice, error } = useRead(api.invoicesOfAccounts.getAccountInvoice, { params: { id, invoiceId } });
  if (error) return <Problem error={error} />;
  if (!invoice) return <Loading lines={8} />;
  const may = mayCall('issueCreditNote', role) && invoice.status !== 'void';
  return (
    <>
      <PageHead
        title={invoice.number}
        badges={<Badge value={invoice.status} />}
        sub={<A to={`/trade/${id}`}>{invoice.buyer.businessName}</A>}
      >
        <Button
          icon="download"
          onClick={() =>
            void saveFile(
              `${invoice.number}.pdf`,
              api.invoicesOfAccounts.getAccountInvoicePdf.response({ params: { id, invoiceId } }),
            )
          }
        >
          PDF
        </Button>
        {may && (
          <Action
            title={t.invoice.creditNote}
            initial={nothingCredited}
            fields={({ values, set }) => (
              <>
                <p>{t.invoice.creditWhy}</p>
                <Pieces
                  lines={invoice.lines.map((line, at) => ({
                    id: String(at + 1),
                    name: line.description,
                    most: line.quantity,
                  }))}
                  value={values.pieces}
                  onChange={(pieces) => set('pieces', pieces)}
                />
                <TextField
                  label={t.reason}
                  rows={2}
                  value={values.reason}
                  onChange={(reason) => set('reason', reason)}
                  required
                  pointer="/reason"
                />
                <Note>
                  {t.invoice.credits}{' '}
                  <strong>
                    {money({
                      amount: Object.values(values.pieces).some((count) => count > 0)
                        ? invoice.lines.reduce(
                            (sum, line, at) =>
                              sum +
                              Math.round(
                                (line.net.amount * (values.pieces[at + 1] ?? 0) * (1 + line.taxRate / 100)) /
                                  Math.max(1, line.quantity),
                              ),
                            0,
                          )
                        : invoice.total.amount - invoice.credited.amount,
                      currency: invoice.total.currency,
                    })}
                  </strong>
                </Note>
              </>
            )}
            run={({ pieces, reason }) => {
              const lines = Object.entries(pieces).flatMap(([line, quantity]) =>
                quantity > 0 ? [{ line: Number(line), quantity }] : [],
              );
              return api.invoices.issueCreditNote({
                params: { id: invoiceId },
                body: { reason, ...(lines.length > 0 && { lines }) },
              });
            }}
          />
        )}
        {may && invoice.amountPaid.amount === 0 && (
          <Action
            title={t.invoice.void}
            tone="danger"
            initial={{ reason: '' }}
            fields={({ values, set }) => (
              <>
                <p>{t.invoice.voidWhy}</p>
                <TextField
                  label={t.reason}
                  rows={2}
                  value={values.reason}
                  onChange={(reason) => set('reason', reason)}
                  required
                  pointer="/reason"
                />
              </>
            )}
            run={(body) => api.invoices.voidInvoice({ params: { id: invoiceId }, body }, { of: invoice })}
          />
        )}
      </PageHead>
      <Columns>
        <Stack>
          <Card title={t.order.lines}>
            <table className={form.lines}>
              <thead>
                <tr>
                  <th scope="col">{t.order.line}</th>
                  <th scope="col">{t.order.pieces}</th>
                  <th scope="col">{t.order.unitPrice}</th>
                  <th scope="col">{t.order.tax}</th>
                  <th scope="col">{t.invoice.net}</th>
                </tr>
              </thead>
              <tbody>
                {invoice.lines.map((line, at) => (
                  <tr key={`${line.description}-${at}`}>
                    <td>{line.description}</td>
                    <td>{number(line.quantity)}</td>
                    <td>{money(line.unitPrice)}</td>
                    <td>{line.taxRate} %</td>
                    <td>{money(line.net)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Card>
          {invoice.creditNotes.map((note) => (
            <Card
              key={note.id}
              title={note.number}
              actions={
                <Button
                  icon="download"
                  onClick={() =>
                    void saveFile(
                      `${note.number}.pdf`,
                      api.invoicesOfAccounts.getAccountCreditNotePdf.response({
                        params: { id, invoiceId, creditNoteId: note.id },
                      }),
                    )
                  }
                >
                  PDF
                </Button>
              }
            >
              <Facts
                of={[
                  [t.trade.issued, date(note.issuedOn)],
                  [t.total, money(note.total)],
                  [t.reason, note.reason],
                ]}
              />
            </Card>
          ))}
        </Stack>
        <Card title={t.order.totals}>
          <Facts
            of={[
              [t.invoice.net, money(invoice.subtotal)],
              [t.order.tax, money(invoice.tax)],
              [t.total, <strong key="total">{money(invoice.total)}</strong>],
              [t.order.paid, money(invoice.amountPaid)],
              [t.invoice.credited, money(invoice.credited)],
              [t.trade.balance, money(invoice.balance)],
              [t.trade.issued, date(invoice.issuedOn)],
              [t.trade.due, date(invoice.dueOn)],
              [t.order.reference, invoice.reference ?? undefined],
              [t.invoice.order, invoice.orderRef ?? undefined],
              ...invoice.payments.map(
                (payment) =>
                  [
                    dateTime(payment.at),
                    <A key={payment.paymentId} to={`/invoices/payments/${payment.paymentId}`}>
                      {money(payment.amount)}
                    </A>,
                  ] as const,
              ),
            ]}
          />
        </Card>
      </Columns>
    </>
  );
}
