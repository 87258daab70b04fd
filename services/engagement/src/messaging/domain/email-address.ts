// Allows letters, digits and the few other characters that real addresses use. Quotes, commas, angle brackets, spaces
// and line ends are not allowed, so that an address can never become two addresses or a mail header.
const single = /^[A-Za-z0-9!#$%&*+/=?^_`{|}~'-]+(\.[A-Za-z0-9!#$%&*+/=?^_`{|}~'-]+)*@([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+$/;

/** Whether the text is one plain email address and nothing else. */
export function isSingleAddress(text: string): boolean {
  return text.length <= 254 && single.test(text);
}
