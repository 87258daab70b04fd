import jsQR from 'jsqr';
import { describe, expect, it } from 'vitest';
import { transferCode, transferText } from '../src/paper/transfer-code.ts';
import { invoiceOf } from './samples.ts';

/** Reads the code as a camera would: each module is 4 pixels wide, and white is around it. */
function scan(modules: readonly (readonly boolean[])[]): string | undefined {
  const [module, edge] = [4, 16];
  const side = modules.length * module + 2 * edge;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      if (modules[Math.floor((y - edge) / module)]?.[Math.floor((x - edge) / module)] === true)
        pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
  return jsQR.default(pixels, side, side)?.data;
}

describe('the QR code of a transfer', () => {
  it('can be read, and says whom to pay how much for what', () => {
    const modules = transferCode(invoiceOf());
    expect(modules && scan(modules)?.split('\n')).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      'BYLADEM1001',
      'Teehandel Köhler & Söhne GmbH',
      'DE02120300000000202051',
      'EUR42.81',
      '',
      '',
      'INV-2026-000123',
    ]);
  });

  it('can be read with the longest name, which is cut to 70 characters', () => {
    const bank = { name: 'Ζ'.repeat(200), iban: `MT${'9'.repeat(29)}`, bic: null };
    const document = invoiceOf({ bank, total: 99_999_999_999 });
    const modules = transferCode(document);
    const lines = modules && scan(modules)?.split('\n');
    expect(lines?.slice(4, 8)).toEqual(['', 'Ζ'.repeat(70), bank.iban, 'EUR999999999.99']);
  });

  it('is never longer than the guideline allows', () => {
    const bank = { name: '🍵'.repeat(70), iban: `MT${'9'.repeat(29)}`, bic: 'BYLADEM1001' };
    const text = transferText(invoiceOf({ bank, number: 'N'.repeat(35), total: 99_999_999_999 })) ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(331);
    expect(text).toContain('🍵'.repeat(40));
  });

  it.each([
    ['another currency', { currency: 'PLN' }],
    ['no account', { bank: null }],
    ['nothing to pay', { total: 0 }],
    ['more than the guideline allows', { total: 100_000_000_000 }],
  ])('is none for %s', (_, given) => {
    expect(transferCode(invoiceOf(given))).toBeNull();
  });
});
