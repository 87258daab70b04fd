import { encodeQR } from 'qr';
import type { billingEvents } from '@storefront/contracts';
import { toDecimal } from '@storefront/money';

type Payable = Pick<billingEvents.InvoiceDocument, 'bank' | 'currency' | 'total' | 'number'>;

/**
 * The limits of the guideline: the smallest and largest amount in cents, the length of the name in characters, and the
 * whole text in bytes.
 */
const [leastAmount, mostAmount, nameLength, mostBytes] = [1, 99_999_999_999, 70, 331];

/**
 * The text of a QR code with which a banking app fills in the transfer (EPC069-12, version 002). Null if no such code
 * is possible: the currency is not EUR, the seller has no bank account, or the guideline does not allow the amount.
 */
export function transferText({ bank, currency, total, number }: Payable): string | null {
  if (bank === null || currency !== 'EUR' || total < leastAmount || total > mostAmount) return null;
  const characters = Array.from(bank.name.replaceAll(/\s+/g, ' ').trim()).slice(0, nameLength);
  for (;;) {
    const name = characters.join('');
    const amount = `EUR${toDecimal({ amount: total, currency })}`;
    // The fields for purpose and structured reference are empty. The invoice's number is the free text of the transfer.
    const text = ['BCD', '002', '1', 'SCT', bank.bic ?? '', name, bank.iban, amount, '', '', number].join('\n');
    if (Buffer.byteLength(text) <= mostBytes) return text;
    characters.pop();
  }
}

/**
 * The modules of the QR code, row by row; true is dark. The result includes a blank edge of one module; readers need
 * four, so the page must leave the rest blank. Null if no code is possible.
 */
export function transferCode(payable: Payable): boolean[][] | null {
  const text = transferText(payable);
  return text === null ? null : encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: 1 });
}
