import { addressChanged } from './kinds/address-changed.ts';
import { campaignActivated } from './kinds/campaign-activated.ts';
import { campaignEnded } from './kinds/campaign-ended.ts';
import { cartUpdated } from './kinds/cart-updated.ts';
import { catalogChanged } from './kinds/catalog-changed.ts';
import { categoryViewed } from './kinds/category-viewed.ts';
import { checkoutStarted } from './kinds/checkout-started.ts';
import { creditExceeded } from './kinds/credit-exceeded.ts';
import { creditNoteIssued } from './kinds/credit-note-issued.ts';
import { creditWarning } from './kinds/credit-warning.ts';
import { custom } from './kinds/custom.ts';
import { customerSaved } from './kinds/customer-saved.ts';
import { discountConfirmed } from './kinds/discount-confirmed.ts';
import { discountRedeemed } from './kinds/discount-redeemed.ts';
import { discountReleased } from './kinds/discount-released.ts';
import { invoiceBalanceChanged } from './kinds/invoice-balance-changed.ts';
import { invoiceIssued } from './kinds/invoice-issued.ts';
import { invoiceOverdue } from './kinds/invoice-overdue.ts';
import { invoicePaid } from './kinds/invoice-paid.ts';
import { invoiceVoided } from './kinds/invoice-voided.ts';
import { notificationDelivered } from './kinds/notification-delivered.ts';
import { notificationFailed } from './kinds/notification-failed.ts';
import { notificationRead } from './kinds/notification-read.ts';
import { notificationRequested } from './kinds/notification-requested.ts';
import { orderPlaced } from './kinds/order-placed.ts';
import { paymentReceived } from './kinds/payment-received.ts';
import { paymentRefunded } from './kinds/payment-refunded.ts';
import { productViewed } from './kinds/product-viewed.ts';
import { registrationBegun } from './kinds/registration-begun.ts';
import { robotEvent } from './kinds/robot-event.ts';
import { searchPerformed } from './kinds/search-performed.ts';
import { tradeApplicationDecided } from './kinds/trade-application-decided.ts';
import { tradeApplicationSubmitted } from './kinds/trade-application-submitted.ts';
import { userVerified } from './kinds/user-verified.ts';
import { wishlistAlertRaised } from './kinds/wishlist-alert-raised.ts';
import { wishlistItemAdded } from './kinds/wishlist-item-added.ts';
import { wishlistItemRemoved } from './kinds/wishlist-item-removed.ts';

/** All kinds of facts, by name. A new kind is a file and a line here. */
export const kinds = {
  'address-changed': addressChanged,
  'campaign-activated': campaignActivated,
  'campaign-ended': campaignEnded,
  'cart-updated': cartUpdated,
  'catalog-changed': catalogChanged,
  'category-viewed': categoryViewed,
  'checkout-started': checkoutStarted,
  'credit-exceeded': creditExceeded,
  'credit-note-issued': creditNoteIssued,
  'credit-warning': creditWarning,
  custom,
  'customer-saved': customerSaved,
  'discount-confirmed': discountConfirmed,
  'discount-redeemed': discountRedeemed,
  'discount-released': discountReleased,
  'invoice-balance-changed': invoiceBalanceChanged,
  'invoice-issued': invoiceIssued,
  'invoice-overdue': invoiceOverdue,
  'invoice-paid': invoicePaid,
  'invoice-voided': invoiceVoided,
  'notification-delivered': notificationDelivered,
  'notification-failed': notificationFailed,
  'notification-read': notificationRead,
  'notification-requested': notificationRequested,
  'order-placed': orderPlaced,
  'payment-received': paymentReceived,
  'payment-refunded': paymentRefunded,
  'product-viewed': productViewed,
  'registration-begun': registrationBegun,
  'robot-event': robotEvent,
  'search-performed': searchPerformed,
  'trade-application-decided': tradeApplicationDecided,
  'trade-application-submitted': tradeApplicationSubmitted,
  'user-verified': userVerified,
  'wishlist-alert-raised': wishlistAlertRaised,
  'wishlist-item-added': wishlistItemAdded,
  'wishlist-item-removed': wishlistItemRemoved,
} as const;
export type FactKindName = keyof typeof kinds;
