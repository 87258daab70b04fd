export { Orders } from './orders.tsx';
export { Order } from './order.tsx';
