import type { Language, WordsInput } from './language.ts';

const noCodeNoAccount =
  'Geben Sie den Code nicht weiter und geben Sie ihn nur ein, wenn Sie sich selbst registriert haben. War es jemand anderes, ' +
  'brauchen Sie nichts zu tun: Ohne den Code entsteht kein Konto, und Sie können sich mit dieser Adresse jederzeit registrieren.';
const itWasMe = 'Wenn Sie das waren, brauchen Sie nichts zu tun.';
const howToTakeBack = 'Wenn Sie es nicht waren, holen Sie Ihr Konto hiermit zurück:';
const takingBack = (until: string) =>
  `Der Link gilt einmal, bis ${until}. Er macht alle Änderungen von E-Mail-Adresse, Passwort und zweitem Faktor der ` +
  'letzten 7 Tage rückgängig und meldet alle Geräte ab. Danach legen Sie ein neues Passwort fest.';
const notMe = 'Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest.';
const crossedPayment = 'Wenn Sie bereits gezahlt haben: vielen Dank, dann ist nichts weiter zu tun.';

const factors: Readonly<
  Record<WordsInput['second-factor-changed']['change'], readonly [subject: string, sentence: string]>
> = {
  'totp-added': [
    'Eine Authenticator-App wurde hinzugefügt',
    'Für Ihr Konto wurde eine Authenticator-App eingerichtet.',
  ],
  'totp-removed': ['Eine Authenticator-App wurde entfernt', 'Die Authenticator-App Ihres Kontos wurde entfernt.'],
  'passkey-added': [
    'Ein Passkey wurde hinzugefügt',
    'Zu Ihrem Konto wurde ein Passkey hinzugefügt. Mit ihm kann man sich ohne Passwort anmelden.',
  ],
  'passkey-removed': ['Ein Passkey wurde entfernt', 'Von Ihrem Konto wurde ein Passkey entfernt.'],
  'recovery-codes-made': [
    'Sie haben neue Wiederherstellungscodes',
    'Für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die älteren gelten nicht mehr.',
  ],
  'recovery-code-used': [
    'Ein Wiederherstellungscode wurde benutzt',
    'Ein Wiederherstellungscode Ihres Kontos wurde benutzt.',
  ],
};

const unallocatedReasons: Readonly<Record<string, string>> = {
  other_currency: 'sie hat eine andere Währung',
  unknown_invoice: 'diese Rechnung gibt es nicht',
  unknown_payment: 'diese Zahlung gibt es nicht',
  invoice_void: 'ihre Rechnung ist storniert',
  account_closed: 'ihr Konto ist geschlossen',
  indivisible_amount: 'ihr Betrag ist kein Vielfaches der kleinsten Einheit ihrer Währung',
};

function list({ named, more }: WordsInput['payment-received']['invoices']): string {
  return named.join(', ') + (more > 0 ? ` und ${more} weitere` : '');
}

/** The end of a sentence that says why an order was not invoiced. */
function whyNotInvoiced({ reason, limit, outstanding, total }: WordsInput['credit-exceeded']): string {
  if (reason === 'hold') return 'Das Konto ist gesperrt, weil etwas überfällig ist oder sein Kredit angehalten wurde';
  const most = limit === null ? '' : ` von ${limit}`;
  return `Ihr Betrag von ${total} und die offenen ${outstanding} übersteigen zusammen den Kreditrahmen${most}`;
}

const ofOrder = (number: string | null) => (number === null ? '' : ` ${number}`);
const openLink = ({ isOpen }: WordsInput['order-confirmed']) =>
  isOpen
    ? ['Die Schaltfläche öffnet die Bestellung ohne Anmeldung. Bitte geben Sie diese E-Mail deshalb nicht weiter.']
    : [];

export const german: Language = {
  locale: 'de',
  formats: { money: 'de', dates: 'de', at: (clock, day) => `${day}, ${clock}` },
  greeting: (firstName) => (firstName === null ? 'Guten Tag!' : `Guten Tag, ${firstName}!`),
  mails: {
    'verification-code': ({ digits, registeredAs, registeredAt, until, shop }) => ({
      subject: digits === null ? 'Ihr Code zum Bestätigen der E-Mail-Adresse' : `${digits} ist Ihr Code`,
      headline: 'Ihre Adresse bestätigen',
      opening: [
        `Das ist der Code für die Registrierung${registeredAs === null ? '' : ` von ${registeredAs}`} bei ${shop} mit dieser E-Mail-Adresse (${registeredAt}):`,
      ],
      middle: [`Er gilt einmal, bis ${until}, und nur für diese Registrierung.`],
      closing: [noCodeNoAccount],
    }),
    'trade-application-received': ({ digits, registeredAs, registeredAt, until, shop }) => ({
      subject: digits === null ? 'Ihr Code für den Händlerantrag' : `${digits} ist Ihr Code für den Händlerantrag`,
      headline: 'Ihre Adresse bestätigen',
      opening: [
        `Das ist der Code für den Antrag${registeredAs === null ? '' : ` von ${registeredAs}`} auf ein Händlerkonto bei ${shop} mit dieser E-Mail-Adresse (${registeredAt}):`,
      ],
      middle: [
        `Er gilt einmal, bis ${until}, und nur für diesen Antrag. Sobald der Code eingegeben ist, sehen wir uns den Antrag an.`,
      ],
      closing: [noCodeNoAccount],
    }),
    'password-reset-code': ({ digits, hasLink, digitsUntil, linkUntil, shop }) => ({
      subject: digits === null ? 'Neues Passwort festlegen' : `${digits} ist Ihr Code für ein neues Passwort`,
      headline: 'Neues Passwort festlegen',
      opening: [
        `Jemand, hoffentlich Sie, möchte für Ihr Konto bei ${shop} ein neues Passwort festlegen.`,
        ...(digits === null ? [] : ['Geben Sie diesen Code dort ein, wo Sie ihn angefordert haben:']),
      ],
      middle: [
        ...(digits === null ? [] : [`Der Code gilt einmal, bis ${digitsUntil}.`]),
        ...(hasLink && digits !== null ? ['Auf einem anderen Gerät geht es stattdessen hier weiter:'] : []),
      ],
      button: 'Neues Passwort festlegen',
      closing: [
        ...(hasLink ? [`Der Link gilt einmal, bis ${linkUntil}.`] : []),
        'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail und geben Sie sie nicht weiter: Ihr Passwort bleibt, wie es ist.',
      ],
    }),
    'email-change-code': ({ digits, until, shop }) => ({
      subject: digits === null ? 'Ihr Code zum Bestätigen der E-Mail-Adresse' : `${digits} ist Ihr Code`,
      headline: 'Ihre neue Adresse bestätigen',
      opening: [`Jemand, hoffentlich Sie, möchte diese Adresse für ein Konto bei ${shop} nutzen. Das ist der Code:`],
      middle: [`Er gilt einmal, bis ${until}. Ein neuerer Code ersetzt ihn.`],
      closing: [
        'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail und geben Sie den Code nicht weiter: Ohne ihn ändert sich nichts.',
      ],
    }),
    'email-change-notice': ({ until, shop }) => ({
      subject: 'Ihr Konto hat jetzt eine andere E-Mail-Adresse',
      opening: [
        `Die E-Mail-Adresse Ihres Kontos bei ${shop} wurde geändert. Bisher war es diese hier.`,
        itWasMe,
        howToTakeBack,
      ],
      button: 'Rückgängig machen',
      closing: [takingBack(until)],
    }),
    'second-factor-notice': ({ change, until }) => ({
      subject: factors[change][0],
      opening: [factors[change][1], itWasMe, howToTakeBack],
      button: 'Rückgängig machen',
      closing: [takingBack(until)],
    }),
    'password-notice': ({ until, shop }) => ({
      subject: 'Ihr Passwort wurde geändert',
      opening: [
        `Das Passwort Ihres Kontos bei ${shop} wurde geändert, und alle anderen Geräte wurden abgemeldet.`,
        itWasMe,
        howToTakeBack,
      ],
      button: 'Rückgängig machen',
      closing: [takingBack(until)],
    }),
    welcome: ({ shop }) => ({
      subject: `Willkommen bei ${shop}`,
      opening: ['Ihre E-Mail-Adresse ist bestätigt und Ihr Konto ist bereit. Schön, dass Sie da sind!'],
      button: `Zu ${shop}`,
    }),
    'registration-attempted': ({ attempted, shop }) => ({
      subject: 'Sie haben bereits ein Konto',
      opening: [
        `Jemand, vielleicht Sie, wollte bei ${shop} mit dieser E-Mail-Adresse ${attempted === 'trade' ? 'ein Händlerkonto' : 'ein Konto'} eröffnen.`,
        'Es gibt schon ein Konto mit ihr, darum hat sich nichts geändert. Melden Sie sich an oder legen Sie dort ein neues Passwort fest.',
      ],
      button: 'Anmelden',
      closing: ['Wenn Sie das nicht waren, brauchen Sie nichts zu tun.'],
    }),
    'password-changed': ({ how, factorsDropped, shop }) => ({
      subject: 'Ihr Passwort wurde geändert',
      opening: [
        how === 'reset'
          ? `Für Ihr Konto bei ${shop} wurde ein neues Passwort festgelegt, mit einem Code, der an diese Adresse ging.`
          : `Das Passwort Ihres Kontos bei ${shop} wurde geändert.`,
        'Alle Geräte wurden abgemeldet. Wenn Sie das waren, brauchen Sie nichts zu tun.',
        ...(factorsDropped
          ? [
              'Zweite Faktoren, die in den letzten 7 Tagen hinzugefügt wurden, gelten nicht mehr. Bitte fügen Sie Ihre wieder hinzu.',
            ]
          : []),
        'Wenn Sie es nicht waren, legen Sie sofort ein neues Passwort fest:',
      ],
      button: 'Neues Passwort festlegen',
      notification: `Alle Geräte wurden abgemeldet. ${notMe}`,
    }),
    'login-throttled': ({ failures, shop }) => ({
      subject: 'Fehlgeschlagene Anmeldungen an Ihrem Konto',
      opening: [
        `Es gab ${failures} fehlgeschlagene Versuche, sich an Ihrem Konto bei ${shop} anzumelden. Niemand ist hineingekommen, und Ihr Konto ist nicht gesperrt; nur die nächsten Versuche müssen etwas warten.`,
        'Wenn Sie das waren und Ihr Passwort vergessen haben, legen Sie ein neues fest. Wenn nicht, ist ein längeres Passwort sicherer.',
      ],
      button: 'Neues Passwort festlegen',
      notification: `Es gab ${failures} fehlgeschlagene Versuche, sich anzumelden. Niemand ist hineingekommen.`,
    }),
    'staff-changed': ({ change, role, shop }) => {
      const changes = {
        'role-changed': {
          subject: 'Ihr Konto hat nun eine andere Rolle',
          opening: [
            role === 'retail'
              ? `Ihr Konto bei ${shop} ist nun ein Kundenkonto: Sie haben keine Rolle im Team mehr. Alle Geräte wurden abgemeldet.`
              : `Ihr Konto bei ${shop} hat nun die Rolle ${role} im Team. Alle Geräte wurden abgemeldet; bitte melden Sie sich neu an, um sie zu nutzen.`,
          ],
        },
        disabled: {
          subject: 'Ihr Mitarbeiterkonto wurde gesperrt',
          opening: [
            `Ihr Mitarbeiterkonto bei ${shop} wurde gesperrt, und alle Geräte wurden abgemeldet. Niemand kann sich nun an ihm anmelden.`,
          ],
        },
        enabled: {
          subject: 'Ihr Mitarbeiterkonto ist wieder freigegeben',
          opening: [
            `Ihr Mitarbeiterkonto bei ${shop} ist wieder freigegeben. Passwort und zweite Faktoren sind wie zuvor.`,
          ],
        },
        'sessions-ended': {
          subject: 'Sie wurden auf allen Geräten abgemeldet',
          opening: [
            `Ihr Mitarbeiterkonto bei ${shop} wurde auf allen Geräten abgemeldet. Sie können sich wieder anmelden.`,
          ],
        },
      };
      return {
        ...changes[change],
        closing: ['Wenn Sie das nicht erwartet haben, fragen Sie bitte einen Administrator des Shops.'],
      };
    },
    'second-factor-changed': ({ change, codesLeft }) => ({
      subject: factors[change][0],
      opening: [
        factors[change][1],
        ...(change === 'recovery-code-used' ? [`Verbleibende Wiederherstellungscodes: ${codesLeft}.`] : []),
        'Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, legen Sie sofort ein neues Passwort fest:',
      ],
      button: 'Neues Passwort festlegen',
      notification: notMe,
    }),
    'second-factor-guessed': ({ tries }) => ({
      subject: 'Falsche Codes für Ihr Konto',
      opening: [
        `Nach dem richtigen Passwort Ihres Kontos waren ${tries} Codes hintereinander falsch. Mit ihnen ist niemand hineingekommen, und die nächsten müssen etwas warten.`,
        'Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Legen Sie sofort ein neues fest.',
      ],
      button: 'Neues Passwort festlegen',
      notification:
        'Sie kamen nach dem richtigen Passwort. Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest.',
    }),
    'email-change-attempted': ({ shop }) => ({
      subject: 'Sie haben bereits ein Konto',
      opening: [
        `Jemand, vielleicht Sie, wollte diese Adresse für ein anderes Konto bei ${shop} nutzen.`,
        'Es gibt schon ein Konto mit ihr, darum hat sich nichts geändert.',
      ],
      button: 'Anmelden',
      closing: ['Wenn Sie das nicht waren, brauchen Sie nichts zu tun.'],
    }),
    'email-changed': ({ shop }) => ({
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      opening: [
        `Ab jetzt ist das die E-Mail-Adresse Ihres Kontos bei ${shop}.`,
        'Alle anderen Geräte wurden abgemeldet. Auch an die bisherige Adresse ging eine E-Mail darüber.',
      ],
      notification: 'Alle anderen Geräte wurden abgemeldet.',
    }),
    'changes-reverted': ({ shop }) => ({
      subject: 'Ihr Konto ist wieder wie zuvor',
      opening: [`Diese Änderungen an Ihrem Konto bei ${shop} wurden rückgängig gemacht:`],
      middle: [
        'Es hat wieder diese E-Mail-Adresse und dieselben zweiten Faktoren wie zuvor, und alle Geräte wurden abgemeldet.',
        'Das Passwort gilt nicht mehr, weil es jemand anderes kennen könnte. Bitte legen Sie ein neues fest:',
      ],
      button: 'Neues Passwort festlegen',
      notification:
        'Änderungen von E-Mail-Adresse, Passwort oder zweitem Faktor wurden rückgängig gemacht, und alle Geräte wurden abgemeldet.',
    }),
    'trade-account-submitted': ({ businessName }) => ({
      subject: 'Wir haben Ihren Händlerantrag erhalten',
      opening: [
        `Vielen Dank: Wir haben den Antrag von ${businessName} auf ein Händlerkonto erhalten. Wir sehen ihn uns an und schreiben Ihnen wieder.`,
      ],
    }),
    'trade-account-approved': ({ businessName, shop }) => ({
      subject: 'Ihr Händlerkonto ist freigegeben',
      opening: [
        `Gute Nachrichten: Das Händlerkonto von ${businessName} bei ${shop} ist freigegeben. Sie können sich jetzt anmelden.`,
      ],
      button: 'Anmelden',
    }),
    'trade-account-rejected': ({ businessName }) => ({
      subject: 'Ihr Händlerantrag wurde nicht angenommen',
      opening: [`Es tut uns leid: Wir konnten den Antrag von ${businessName} auf ein Händlerkonto nicht annehmen.`],
      closing: ['Wenn sich das geändert hat, können Sie gern erneut einen Antrag stellen.'],
    }),
    'trade-account-info-requested': ({ businessName }) => ({
      subject: 'Zu Ihrem Händlerantrag brauchen wir weitere Angaben',
      opening: [
        `Wir sehen uns den Antrag von ${businessName} gerade an und müssen noch etwas mehr wissen, bevor wir entscheiden können.`,
      ],
      middle: ['Bitte melden Sie sich mit Ihrem Passwort an und ergänzen Sie, was fehlt.'],
      button: 'Anmelden',
    }),
    'trade-account-suspended': ({ businessName }) => ({
      subject: 'Ihr Händlerkonto ist gesperrt',
      opening: [
        `Das Händlerkonto von ${businessName} ist gesperrt. Bis das geklärt ist, kann es nicht genutzt werden.`,
      ],
      closing: ['Wenn Sie Fragen haben, antworten Sie bitte auf diese E-Mail.'],
    }),
    'trade-account-reinstated': ({ businessName }) => ({
      subject: 'Ihr Händlerkonto kann wieder genutzt werden',
      opening: [`Die Sperre des Händlerkontos von ${businessName} ist aufgehoben. Sie können sich wieder anmelden.`],
      button: 'Anmelden',
    }),
    'wishlist-alert': ({ kind, product, now, was }) => ({
      subject: kind === 'back-in-stock' ? `${product} ist wieder da` : `${product} ist günstiger geworden`,
      opening: [
        kind === 'back-in-stock'
          ? `${product} von Ihrer Wunschliste ist wieder vorrätig, für ${now}.`
          : `${product} von Ihrer Wunschliste kostet jetzt ${now}${was === null ? '' : `, vorher ${was}`}.`,
      ],
      button: 'Zur Wunschliste',
    }),
    'cart-left': ({ shop, first, more }) => ({
      subject: `${first}${more === 0 ? '' : ` und ${more} weitere`} in Ihrem Warenkorb`,
      headline: 'Noch in Ihrem Warenkorb',
      opening: [`Das liegt in Ihrem Warenkorb bei ${shop} und ist noch nicht bestellt:`],
      middle: ['Es ist nicht reserviert, und Preise können sich ändern, bis Sie bestellen.'],
      button: 'Zum Warenkorb',
    }),
    'order-confirmed': (order) => ({
      subject: `Ihre Bestellung${ofOrder(order.number)}`,
      headline: 'Vielen Dank für Ihre Bestellung',
      opening: [
        `Vielen Dank für Ihre Bestellung bei ${order.shop}.${order.number === null ? '' : ` Sie hat die Nummer ${order.number}.`} Das haben Sie bestellt:`,
      ],
      middle: order.payment === 'invoice' ? ['Die Rechnung kommt mit einer eigenen E-Mail.'] : [],
      button: 'Bestellung ansehen',
      closing: openLink(order),
      notification: `Vielen Dank: Ihre Bestellung über ${order.total} ist eingegangen.`,
    }),
    'order-payment-failed': (order) => ({
      subject: 'Die Zahlung Ihrer Bestellung hat nicht geklappt',
      opening: [
        `Die Zahlung von ${order.total} für Ihre Bestellung${ofOrder(order.number)} bei ${order.shop} hat nicht geklappt, darum ist die Bestellung noch nicht abgeschlossen.`,
        'Sie können sich die Bestellung ansehen und noch einmal bezahlen, solange sie für Sie vorgemerkt ist.',
      ],
      button: 'Bestellung ansehen',
      closing: openLink(order),
    }),
    'order-cancelled': (order) => ({
      subject: `Ihre Bestellung${ofOrder(order.number)} wurde storniert`,
      opening: [`Ihre Bestellung${ofOrder(order.number)} über ${order.total} bei ${order.shop} wurde storniert.`],
      middle: {
        card: ['Falls Sie schon bezahlt haben, erhalten Sie das Geld auf demselben Weg zurück.'],
        invoice: ['Von ihr ist nichts zu zahlen.'],
        none: [],
      }[order.payment],
      button: 'Bestellung ansehen',
      closing: openLink(order),
    }),
    'order-shipped': (order) => ({
      subject: `Ihre Bestellung${ofOrder(order.number)} ist unterwegs`,
      opening: [`Das haben wir bei ${order.shop} für Sie verschickt:`],
      button: 'Bestellung ansehen',
      closing: openLink(order),
      notification: 'Ein Paket Ihrer Bestellung ist unterwegs.',
    }),
    'order-delivered': (order) => ({
      subject: `Ihre Bestellung${ofOrder(order.number)} wurde zugestellt`,
      opening: [`Ihre Bestellung bei ${order.shop} wurde vollständig zugestellt:`],
      middle: ['Falls etwas fehlt oder beschädigt ist, sagen Sie uns bitte Bescheid.'],
      button: 'Bestellung ansehen',
      closing: openLink(order),
      notification: 'Ihre Bestellung wurde vollständig zugestellt.',
    }),
    'order-reduced': (order) => ({
      subject: `Ein Teil Ihrer Bestellung${ofOrder(order.number)} wurde storniert`,
      opening: [`Das kommt nicht mit Ihrer Bestellung bei ${order.shop}:`],
      middle:
        order.refund === null
          ? []
          : [
              order.payment === 'invoice'
                ? `Von Ihrer Rechnung gehen ${order.refund} ab. Die Gutschrift erhalten Sie mit einer eigenen E-Mail.`
                : `Davon erhalten Sie ${order.refund} auf demselben Weg zurück.`,
            ],
      button: 'Bestellung ansehen',
      closing: openLink(order),
      notification: 'Ein Teil Ihrer Bestellung wurde storniert.',
    }),
    'order-refunded': (order) => ({
      subject: `Eine Erstattung für Ihre Bestellung${ofOrder(order.number)}`,
      opening: [
        order.payment === 'invoice'
          ? `Von der Rechnung Ihrer Bestellung bei ${order.shop} gehen ${order.refund ?? 'keine Beträge'} ab. Die Gutschrift erhalten Sie mit einer eigenen E-Mail.`
          : `Für Ihre Bestellung bei ${order.shop} erhalten Sie ${order.refund ?? 'nichts'} auf demselben Weg zurück.`,
      ],
      button: 'Bestellung ansehen',
      closing: openLink(order),
    }),
    'order-returned': (order) => ({
      subject: `Ihre Rücksendung zur Bestellung${ofOrder(order.number)} ist angekommen`,
      opening: [`Das ist bei ${order.shop} wieder angekommen:`],
      middle: order.payment === 'none' ? [] : ['Wenn Sie dafür Geld zurückbekommen, schreiben wir Ihnen noch einmal.'],
      button: 'Bestellung ansehen',
      closing: openLink(order),
      notification: 'Ihre Rücksendung ist angekommen.',
    }),
    'invoice-issued': ({ number, total, owed, dueOn, paidByCredit, isPrepaid }) => ({
      subject: `Ihre Rechnung ${number}`,
      opening: [
        owed === null
          ? `Die Rechnung ${number} über ${total} ist mit ${isPrepaid ? 'Ihrer Bestellung' : 'dem Guthaben Ihres Kontos'} bezahlt.`
          : paidByCredit === null
            ? `Die Rechnung ${number} über ${total} ist am ${dueOn} fällig.`
            : `Von der Rechnung ${number} über ${total} hat das Guthaben Ihres Kontos ${paidByCredit} bezahlt. Der Rest von ${owed} ist am ${dueOn} fällig.`,
        'Die Rechnung finden Sie als PDF im Anhang.',
      ],
      button: owed === null ? 'Rechnung ansehen' : 'Rechnung ansehen und bezahlen',
    }),
    'invoice-reminded': ({ number, owed, dueOn, days }) => {
      const toBePaid = `Bitte denken Sie daran: Von der Rechnung ${number} sind bis zum ${dueOn} noch ${owed} zu zahlen.`;
      const words = {
        [-3]: { subject: `Die Rechnung ${number} ist am ${dueOn} fällig`, opening: [toBePaid] },
        0: { subject: `Die Rechnung ${number} ist heute fällig`, opening: [toBePaid] },
        7: {
          subject: `Zahlungserinnerung: Rechnung ${number} ist überfällig`,
          opening: [
            `Die Rechnung ${number} war am ${dueOn} fällig, und ${owed} sind noch nicht bezahlt. Bitte zahlen Sie jetzt.`,
          ],
        },
        14: {
          subject: `Zweite Zahlungserinnerung: Rechnung ${number} ist überfällig`,
          opening: [
            `Die Rechnung ${number} war am ${dueOn} fällig, und ${owed} sind immer noch nicht bezahlt. Bitte zahlen Sie umgehend.`,
          ],
        },
      };
      return { ...words[days], button: 'Rechnung ansehen und bezahlen', closing: [crossedPayment] };
    },
    'invoice-overdue': ({ number, owed, dueOn }) => ({
      subject: `Die Rechnung ${number} ist überfällig`,
      opening: [`Die Rechnung ${number} war am ${dueOn} fällig, und ${owed} sind noch nicht bezahlt.`],
      button: 'Rechnung ansehen und bezahlen',
      closing: [crossedPayment],
    }),
    'invoice-paid': ({ number, total }) => ({
      subject: `Die Rechnung ${number} ist bezahlt`,
      opening: [`Vielen Dank: Die Rechnung ${number} über ${total} ist vollständig bezahlt.`],
      button: 'Rechnung ansehen',
    }),
    'invoice-voided': ({ number, total }) => ({
      subject: `Die Rechnung ${number} ist storniert`,
      opening: [`Die Rechnung ${number} über ${total} wurde irrtümlich gestellt. Von ihr ist nichts zu zahlen.`],
      button: 'Rechnung ansehen',
    }),
    'credit-note-issued': ({ number, creditNote, credited, owed, dueOn }) => ({
      subject: `Gutschrift ${creditNote} zur Rechnung ${number}`,
      opening: [
        `Die Gutschrift ${creditNote} mindert die Rechnung ${number} um ${credited}. ${owed === null ? 'Von der Rechnung ist nichts mehr zu zahlen.' : `Von der Rechnung sind bis zum ${dueOn} noch ${owed} zu zahlen.`}`,
        'Die Gutschrift finden Sie als PDF im Anhang.',
      ],
      button: owed === null ? 'Rechnung ansehen' : 'Rechnung ansehen und bezahlen',
    }),
    'payment-received': ({ amount, invoices, credit }) => ({
      subject: 'Ihre Zahlung ist eingegangen',
      opening: [
        [
          `Vielen Dank: Ihre Zahlung über ${amount} ist eingegangen.`,
          ...(invoices.named.length > 0 ? [`Damit ist bezahlt: ${list(invoices)}.`] : []),
          ...(credit === null
            ? []
            : [`${credit} sind Guthaben Ihres Kontos und werden mit der nächsten Rechnung verrechnet.`]),
        ].join(' '),
      ],
      button: 'Ihre Rechnungen ansehen',
    }),
    'payment-refunded': ({ kind, amount, invoices, credit }) => ({
      subject: kind === 'refund' ? 'Eine Zahlung wurde erstattet' : 'Eine Zahlung wurde zurückgebucht',
      opening: [
        [
          kind === 'refund'
            ? `${amount} einer Zahlung wurden Ihnen erstattet.`
            : `${amount} einer Zahlung wurden nach einer Reklamation zurückgebucht.`,
          ...(invoices.named.length > 0 ? [`Wieder offen ist: ${list(invoices)}.`] : []),
          ...(credit === null ? [] : [`${credit} wurden dem Guthaben Ihres Kontos entnommen.`]),
        ].join(' '),
      ],
      button: 'Ihre Rechnungen ansehen',
    }),
    'credit-warning': ({ outstanding, limit }) => ({
      subject: 'Ihr Kreditrahmen ist fast ausgeschöpft',
      opening: [
        `Von Ihrem Kreditrahmen von ${limit} sind ${outstanding} in Anspruch genommen. Eine Bestellung darüber hinaus ist nicht auf Rechnung möglich.`,
      ],
      button: 'Ihre Rechnungen ansehen',
    }),
    'credit-exceeded': (input) => ({
      subject: 'Eine Bestellung wurde nicht berechnet',
      opening: [`Ihre Bestellung ${input.orderRef} wurde nicht berechnet: ${whyNotInvoiced(input)}.`],
      middle: ['Bitte zahlen Sie, was offen ist, oder antworten Sie auf diese E-Mail, wenn Sie Fragen haben.'],
      button: 'Ihre Rechnungen ansehen',
    }),
    'user-export-ready': ({ shop, byStaff }) => ({
      subject: 'Ihre Daten stehen bereit',
      opening: [
        byStaff
          ? `Wir haben bei ${shop} eine Kopie Ihrer Daten erstellt, wie wir es für alle tun, die uns darum bitten. Auch Sie können sie 7 Tage lang herunterladen.`
          : `Die Kopie Ihrer Daten bei ${shop}, um die Sie gebeten haben, steht bereit. Sie kann 7 Tage lang heruntergeladen werden.`,
      ],
      button: 'Daten herunterladen',
      closing: [
        byStaff
          ? 'Wenn Sie uns nicht darum gebeten haben, antworten Sie bitte auf diese E-Mail.'
          : 'Wenn Sie nicht darum gebeten haben, legen Sie sofort ein neues Passwort fest.',
      ],
    }),
    'account-erased': ({ shop, byStaff }) => ({
      subject: 'Ihr Konto wird gelöscht',
      opening: [
        byStaff
          ? `Wir haben begonnen, Ihr Konto bei ${shop} und alles, was wir über Sie gespeichert haben, zu löschen.`
          : `Wie gewünscht werden Ihr Konto bei ${shop} und alles, was wir über Sie gespeichert haben, gelöscht.`,
        'Das ist unsere letzte E-Mail an Sie. Wenn Sie wiederkommen möchten, registrieren Sie sich einfach neu: Sie sind herzlich willkommen.',
      ],
    }),
  },
  undone: {
    'email-changed': 'eine andere E-Mail-Adresse',
    'password-changed': 'ein anderes Passwort',
    'totp-added': 'eine hinzugefügte Authenticator-App',
    'totp-removed': 'eine entfernte Authenticator-App',
    'passkey-added': 'ein hinzugefügter Passkey',
    'passkey-removed': 'ein entfernter Passkey',
    'recovery-codes-made': 'neue Wiederherstellungscodes',
  },
  quoteLabel: 'Unsere Nachricht dazu:',
  figures: {
    invoice: 'Rechnung',
    creditNote: 'Gutschrift',
    total: 'Gesamtbetrag',
    owed: 'Zu zahlen',
    dueOn: 'Fällig am',
    reference: 'Ihr Zeichen',
    orderRef: 'Bestellung',
    bank: 'Überweisung an',
    paymentReference: 'Verwendungszweck',
    creditLimit: 'Kreditrahmen',
    outstanding: 'Zurzeit offen',
    subtotal: 'Artikel',
    discount: 'Rabatt',
    shipping: 'Versand',
    tax: 'Steuer',
    taxIncluded: 'Enthaltene Steuer',
    payment: 'Zahlung',
    carrier: 'Versand mit',
    trackingNumber: 'Sendungsnummer',
  },
  followParcel: 'Sendung verfolgen',
  payments: { card: 'Mit Karte', invoice: 'Auf Rechnung', none: 'Nichts zu zahlen' },
  noSubject: (shop) => `Eine Nachricht von ${shop}`,
  footer: {
    because: (because, shop) =>
      ({
        'address-entered': `Sie erhalten diese E-Mail, weil jemand diese Adresse bei ${shop} eingegeben hat.`,
        account: `Sie erhalten diese E-Mail, weil Sie ein Konto bei ${shop} haben.`,
        'trade-account': `Sie erhalten diese E-Mail, weil Sie ein Händlerkonto bei ${shop} haben oder beantragt haben.`,
        wishlist: `Sie erhalten diese E-Mail, weil das Produkt auf Ihrer Wunschliste bei ${shop} steht.`,
        order: `Sie erhalten diese E-Mail wegen einer Bestellung bei ${shop} mit dieser Adresse.`,
        offers: `Sie erhalten diese E-Mail, weil Sie von ${shop} Angebote bekommen möchten.`,
        marketing: `Sie erhalten diese E-Mail, weil Sie von ${shop} Neuigkeiten bekommen möchten.`,
        erased: `Sie erhalten diese E-Mail, weil Sie ein Konto bei ${shop} hatten.`,
        'sent-by-shop': `Das ist eine Nachricht von ${shop} an Sie.`,
      })[because],
    choose: 'E-Mail-Einstellungen ändern',
    unsubscribe: 'Solche E-Mails abbestellen',
  },
  toAdministrators: {
    tradeAccountWaiting: (businessName) => ({
      title: 'Ein Händlerkonto wartet auf Freigabe',
      body: `${businessName} hat ein Händlerkonto beantragt.`,
    }),
    discountRetaken: ({ orderRef, amount, campaigns }) => ({
      title: 'Eine Bestellung hat Rabatte, die nicht für sie vorgemerkt waren',
      body: `Die Bestellung ${orderRef} enthält ${amount} Rabatt, der zurückgegeben oder schon benutzt war. Er zählt wieder. ${
        campaigns.length === 0
          ? 'Keine Grenze wurde überschritten.'
          : `Eine Grenze wurde überschritten bei ${campaigns.map((name) => `„${name}“`).join(', ')}.`
      }`,
    }),
    stockLow: ({ name, variant, sku, stock }) => ({
      title: stock === 0 ? 'Ein Produkt ist ausverkauft' : 'Ein Produkt wird knapp',
      body: `„${name}“${variant === '' ? '' : `, ${variant}`} (${sku}): noch ${stock === 0 ? 'keins' : stock} da.`,
    }),
    paymentWentBack: ({ amount, provider, kind }) => ({
      title: kind === 'refund' ? 'Eine Zahlung wurde erstattet' : 'Eine Zahlung wurde zurückgebucht',
      body: `${amount} einer Zahlung über ${provider} gingen zurück. Was sie bezahlt hatte, ist wieder offen.`,
    }),
    paymentUnallocated: ({ amount, provider, reason }) => ({
      title: 'Eine Zahlung ist nicht zugeordnet',
      body: `Eine Zahlung von ${amount} kam über ${provider} und hat nichts bezahlt: ${unallocatedReasons[reason] ?? reason}.`,
    }),
    orderBeyondCredit: (input) => ({
      title: 'Eine Bestellung wurde nicht berechnet',
      body: `Die Bestellung ${input.orderRef} wurde nicht berechnet: ${whyNotInvoiced(input)}.`,
    }),
    orderNotInvoiced: ({ orderRef, reason }) => ({
      title: 'Eine Bestellung kann nicht berechnet werden',
      body: `Die Bestellung ${orderRef} ist auf Rechnung, wurde aber nicht berechnet: ${
        {
          'not-a-trade-account': 'Wer sie aufgab, hat kein Händlerkonto',
          'other-currency': 'Sie hat eine andere Währung',
          'no-lines': 'Sie hat keine Positionen',
          'too-many-lines': 'Sie hat zu viele Positionen',
          'totals-differ': 'Ihre Positionen ergeben nicht ihre Summe',
        }[reason]
      }.`,
    }),
  },
  unsubscribing: {
    title: (shop) => `E-Mails von ${shop}`,
    question: (category, shop) =>
      `Möchten Sie keine E-Mails mehr über ${category === 'offers' ? 'Angebote' : 'Neuigkeiten und Aktionen'} von ${shop} erhalten?`,
    button: 'Solche E-Mails abbestellen',
    done: [
      'Erledigt: Sie erhalten keine solchen E-Mails mehr.',
      'Sie können sie in Ihrem Konto jederzeit wieder einschalten.',
    ],
  },
};
