import type { Broker } from 'smqp';
import type { Morgue } from './morgue.ts';
import type { WaitingRoom } from './waiting-room.ts';

/** What the buses of one process share. */
export interface Shared {
  readonly broker: Broker;
  readonly waitingRoom: WaitingRoom;
  readonly morgue: Morgue;
}
