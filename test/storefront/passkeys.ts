import { expect, it } from 'vitest';
import { addAuthenticator } from '../../services/identity/test/chromium.ts';
import { password } from '../people.ts';
import { fillIn, register, wideAndLight, type BrowserAt } from './browser.ts';

/** Passkeys of an account, by an authenticator in the browser. */
export function testPasskeys(at: BrowserAt): void {
  it('makes a passkey, logs in by it alone and as a second factor, and proves by it who changes things', async () => {
    const { page, look, complaints } = await at.visitOf(wideAndLight);
    const email = 'grace@browser.example';
    await addAuthenticator(page);
    await register(at, page, email, '/account/security');
    await look();
    await page.getByRole('link', { name: 'Change the email' }).click();
    await fillIn(page, { 'New email': 'hopper@browser.example', 'Your password now': password });
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText('hopper@browser.example').waitFor();
    await look();
    await page.getByRole('link', { name: 'Not now' }).click();

    await page.getByRole('link', { name: 'Set up a second factor' }).click();
    await fillIn(page, { 'Your password now': password });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name of the passkey').fill('Work laptop');
    await look();
    await page.getByRole('button', { name: 'Make the passkey' }).click();
    await page.getByText('they are shown only now').waitFor();
    await page.getByRole('link', { name: 'I have kept them' }).click();

    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByText('You are logged out').waitFor();
    await page.goto(`${at.shop.storefront}/login?next=/account/security`);
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.waitForURL(/\/login\/passkey$/);
    await look();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText(email).waitFor();
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByText('You are logged out').waitFor();
    await page.goto(`${at.shop.storefront}/login?next=/account/security`);
    await fillIn(page, { Email: email, Password: password });
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    await look();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Login and security' }).waitFor();

    await page.getByRole('link', { name: 'Change the password' }).click();
    await fillIn(page, { 'Your password now': password, 'New password': 'another quiet lake at night' });
    await look();
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByText('Your passkey has proved that it is you.').waitFor();
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'Change the second factor' }).click();
    await page.getByText('Passkey “Work laptop”').waitFor();
    await look();
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByText('Your passkey has proved that it is you.').waitFor();
    await page.getByRole('button', { name: 'Remove Work laptop' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('Passkey “Work laptop”').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
}
