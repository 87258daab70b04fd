import { identityEvents, readingOf, type Reading } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import {
  changesRevertedNotification,
  emailChangedNotification,
  exportReadyNotification,
  loginThrottledNotification,
  passwordChangedNotification,
  secondFactorChangedNotification,
  secondFactorGuessedNotification,
} from '../domain/event-notifications.ts';
import type { MessageNeeds } from '../commands/send-notification.ts';
import { segmentOf } from '../domain/segments.ts';
import type { Recipients } from '../store/recipients.ts';
import { mailAbout, mailEmailCode, mailRecoveryCode, mailWayBack, notifyAbout } from './about-event.ts';

export function onAccountSecurity(needs: MessageNeeds & { readonly recipients: Recipients }) {
  const writingTo = (event: { readonly data: Reading }) => needs.writingFor(readingOf(event.data));
  return [
    on(identityEvents.registrationAttempted, (event) =>
      mailAbout(needs, event, 'security', {
        template: 'registration-attempted',
        data: { attempted: event.data.attempted },
      }),
    ),
    on(identityEvents.passwordResetRequested, (event) => mailRecoveryCode(needs, event)),
    on(identityEvents.passwordChanged, async (event) => {
      const { email, firstName, how, factorsDropped = false } = event.data;
      if (!(await mailWayBack(needs, event, email, { template: 'password-notice', data: { firstName } })))
        await mailAbout(needs, event, 'security', {
          template: 'password-changed',
          data: { firstName, how, factorsDropped },
        });
      await notifyAbout(
        needs,
        event,
        passwordChangedNotification(writingTo(event), event.subject, { how, factorsDropped }),
      );
    }),
    on(identityEvents.loginThrottled, async (event) => {
      const { firstName, failures } = event.data;
      await mailAbout(needs, event, 'security', { template: 'login-throttled', data: { firstName, failures } });
      await notifyAbout(needs, event, loginThrottledNotification(writingTo(event), event.subject, failures));
    }),
    on(identityEvents.secondFactorChanged, async (event) => {
      const { email, firstName, change, recoveryCodesLeft } = event.data;
      const data = { firstName, change, recoveryCodesLeft };
      if (!(await mailWayBack(needs, event, email, { template: 'second-factor-notice', data })))
        await mailAbout(needs, event, 'security', { template: 'second-factor-changed', data });
      const { subject } = event;
      const shown = secondFactorChangedNotification(writingTo(event), subject, change, recoveryCodesLeft);
      await notifyAbout(needs, event, shown);
    }),
    on(identityEvents.secondFactorGuessed, async (event) => {
      const { firstName, tries } = event.data;
      await mailAbout(needs, event, 'security', { template: 'second-factor-guessed', data: { firstName, tries } });
      await notifyAbout(needs, event, secondFactorGuessedNotification(writingTo(event), event.subject, tries));
    }),
    on(identityEvents.emailChangeRequested, (event) => mailEmailCode(needs, event)),
    on(identityEvents.emailChangeAttempted, async (event) => {
      // The event is made where the owner's account is not read, so it does not say how to write to the owner.
      const reading = readingOf((await needs.recipients.find(event.subject)) ?? {});
      const toOwner = { ...event, data: { ...event.data, ...reading } };
      await mailAbout(needs, toOwner, 'security', { template: 'email-change-attempted', data: {} });
    }),
    on(identityEvents.emailChanged, async (event) => {
      const { email, firstName, previousEmail } = event.data;
      await needs.recipients.save(event.subject, { email, firstName, ...readingOf(event.data) }, event.sequence);
      await mailAbout(needs, event, 'security', { template: 'email-changed', data: { firstName } });
      await mailWayBack(needs, event, previousEmail, { template: 'email-change-notice', data: { firstName } });
      await notifyAbout(needs, event, emailChangedNotification(writingTo(event), event.subject));
    }),
    on(identityEvents.changesReverted, async (event) => {
      const { email, firstName, undone } = event.data;
      await needs.recipients.save(event.subject, { email, firstName, ...readingOf(event.data) }, event.sequence);
      await mailAbout(needs, event, 'security', { template: 'changes-reverted', data: { firstName, undone } });
      await notifyAbout(needs, event, changesRevertedNotification(writingTo(event), event.subject));
    }),
  ];
}

/**
 * The mail's id is derived from the event, so a second delivery of the event sends no second mail. The recipient is saved by
 * the event's sequence.
 */
export function onStaffChanged(needs: MessageNeeds & { readonly recipients: Pick<Recipients, 'save'> }) {
  return [
    on(identityEvents.staffChanged, async (event) => {
      const { email, firstName, role, change, reason } = event.data;
      const segment = segmentOf({ role });
      const recipient = { email, firstName, ...readingOf(event.data), role, segment };
      await needs.recipients.save(event.subject, recipient, event.sequence);
      await mailAbout(needs, event, 'security', {
        template: 'staff-changed',
        data: { firstName, role, change, reason },
      });
    }),
  ];
}

export function onUserExportReady(needs: MessageNeeds) {
  return [
    on(identityEvents.userExportReady, async (event) => {
      const { firstName, exportId, byStaff = false } = event.data;
      // This is a security message, which can't be switched off. So an attacker in the account can't hide it from the
      // owner.
      await mailAbout(needs, event, 'security', { template: 'user-export-ready', data: { firstName, byStaff } });
      await notifyAbout(
        needs,
        event,
        exportReadyNotification(needs.writingFor(readingOf(event.data)), event.subject, { exportId, byStaff }),
      );
    }),
  ];
}
