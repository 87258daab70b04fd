import { hours, later, minutes } from './demand.ts';
import type { Story } from './story.ts';

interface Message {
  readonly channel: 'EMAIL' | 'IN_APP';
  readonly category: string;
}

/** A message to the person of the story: nearly all are delivered, and many of those in the app are read. */
export function sendMessage({ random, tell }: Story, at: Date, message: Message): void {
  const isMail = message.channel === 'EMAIL';
  tell('notification-requested', at, message);
  if (isMail && random.happens(0.03)) {
    // Some addresses are known not to exist; of others it turns out.
    const isSuppressed = random.happens(0.5);
    const after = isSuppressed ? random.between(200, 4000) : hours(random.between(1, 20));
    tell('notification-failed', later(at, after), { ...message, isSuppressed });
    return;
  }
  const delivered = later(at, isMail ? random.between(200, 4000) : random.between(5, 60));
  tell('notification-delivered', delivered, message);
  if (isMail || !random.happens(0.62)) return;
  // Half of them within two hours, some only days later.
  const readAt = later(delivered, minutes(Math.exp(random.between(0, 9))));
  tell('notification-read', readAt, { ...message, minutes: (readAt.getTime() - at.getTime()) / minutes(1) });
}
