export { Payments } from './payments.tsx';
export { Payment } from './payment.tsx';
export { Callbacks, Callback } from './callbacks.tsx';
export { Invoices } from './invoices.tsx';
