export { prepareOrder, sendOrder, untilAnswered, untilOrder, type PreparedOrder, type Purchase } from './checkout.ts';
export { payOnDemoPage } from './demo-page.ts';
export { findVariant } from './find-variant.ts';
export { CheckoutRefused, type Send } from './requests.ts';
