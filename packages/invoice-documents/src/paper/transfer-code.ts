import { encodeQR } from 'qr';
import type { billingEvents } from '@storefront/contracts';
import { toDecimal } from '@storefront/money';

type Payable = Pick<billingEvents.InvoiceDocument, 'bank' | 'currency' | 'total' | 'number'>;

/** What the guideline allows: in cents, in characters of the name, in bytes of all. */
const [leastAmount, mostAmount, nameLength, mostBytes] = [1, 99_999_999_999, 70, 331];

/**
 * The text of a QR code by which a banking app fills in the transfer (EPC069-12, version 002). Returns null where it can be none:
 * in another currency than EUR, without an account, and for amounts that the guideline does not allow.
 */
export function transferText({ bank, currency, total, number }: Payable): string | null {
  if (bank === null || currency !== 'EUR' || total < leastAmount || total > mostAmount) return null;
  const characters = Array.from(bank.name.replaceAll(/\s+/g, ' ').trim()).slice(0, nameLength);
  for (;;) {
    const name = characters.join('');
    const amount = `EUR${toDecimal({ amount: total, currency })}`;
    // Purpose and structured reference are empty: the invoice's number is the text of the transfer.
    const text = ['BCD', '002', '1', 'SCT', bank.bic ?? '', name, bank.iban, amount, '', '', number].join('\n');
    if (Buffer.byteLength(text) <= mostBytes) return text;
    characters.pop();
  }
}

/** The modules of that QR code, row by row, with one module of the blank edge; true is dark. Readers want four. */
export function transferCode(payable: Payable): boolean[][] | null {
  const text = transferText(payable);
  return text === null ? null : encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: 1 });
}
