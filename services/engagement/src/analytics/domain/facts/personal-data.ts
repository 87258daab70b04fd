const email = /[^\s@]@[^\s@]+\.[^\s@]/;
/** Digits in groups, as people write the numbers of phones and payment cards. */
const numbers = /\+?\(?\p{Nd}(?:[ ()./-]*\p{Nd})*/gu;
const fewestOfPhone = 8;
const [fewestOfCard, mostOfCard] = [13, 19];

/** Whether a text contains an email address, or a number that may be a phone number or the number of a payment card. */
export function holdsPersonalData(text: string): boolean {
  const plain = text.normalize('NFKC');
  return email.test(plain) || (plain.match(numbers) ?? []).some((number) => digitsOf(number).length >= fewestOfPhone);
}

/**
 * Like `holdsPersonalData`, but for texts that programs write. Long numbers in such texts are mostly ids of orders or
 * things. So only international phone numbers and numbers with the check digit of a payment card count as personal.
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

/** Whether the last digit is the check digit of the other digits (Luhn), as on every payment card. */
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
