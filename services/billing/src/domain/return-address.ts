/** Where the page of a provider leads back to: the address of the shop, with these ids as parameters. */
export function returnAddress(returnUrl: string, ids: Readonly<Record<string, string>>): string {
  const address = new URL(returnUrl);
  for (const [name, id] of Object.entries(ids)) address.searchParams.set(name, id);
  return address.href;
}
