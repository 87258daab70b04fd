export { TradeAccounts } from './trade-accounts.tsx';
export { TradeAccount } from './trade-account.tsx';
export { Invoice } from './invoice.tsx';
