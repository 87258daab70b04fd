import { describeBus } from './bus-contract.ts';
import { openRabbitmq } from './rabbitmq-harness.ts';

describeBus('RabbitMQ', openRabbitmq);
