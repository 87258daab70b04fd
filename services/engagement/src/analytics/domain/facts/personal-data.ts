const email = /[^\s@]@[^\s@]+\.[^\s@]/;
/** Digits as people group them in the numbers of phones and cards. */
const numbers = /\+?\(?\p{Nd}(?:[ ()./-]*\p{Nd})*/gu;
const fewestOfPhone = 8;
const [fewestOfCard, mostOfCard] = [13, 19];

/** Whether a text holds an email address, or a number that may be that of a phone or a payment card. */
export function holdsPersonalData(text: string): boolean {
  const plain = text.normalize('NFKC');
  return email.test(plain) || (plain.match(numbers) ?? []).some((number) => digitsOf(number).length >= fewestOfPhone);
}

/**
 * The same for a text that programs write: a long number is mostly that of an order or a thing. Only one that begins as international
 * phone numbers do, or has the check digit of a card, is taken for personal.
 */
export function namesPerson(text: string): boolean {
  const plain = text.normalize('NFKC');
  return (
    email.test(plain) || (plain.match(numbers) ?? []).some((number) => isInternationalPhone(number) || isCard(number))
  );
}

function isInternationalPhone(number: string): boolean {
  return number.startsWith('+') && digitsOf(number).length >= fewestOfPhone;
}

/** Whether the last digit is the check digit of the others (Luhn), as on every payment card. */
function isCard(number: string): boolean {
  const digits = digitsOf(number);
  if (digits.length < fewestOfCard || digits.length > mostOfCard) return false;
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

function digitsOf(text: string): string {
  return text.replaceAll(/\P{Nd}/gu, '');
}
