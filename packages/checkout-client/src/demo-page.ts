/**
 * Presses the button of the demo provider's page that pays the whole amount. `redirectUrl` must be an address of the demo
 * provider. Throws an Error where the page refuses.
 */
export async function payOnDemoPage(redirectUrl: string): Promise<void> {
  const response = await fetch(redirectUrl, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay' }),
    redirect: 'manual',
  });
  if (response.status !== 303)
    throw new Error(`The payment page answered ${response.status} instead of taking the money.`);
}
