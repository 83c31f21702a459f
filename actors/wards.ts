/** Where sessions live: fixed parent actors, each a system of its own; a session is spawned below `ward[hash(id)]`. A session that crashes
 *  is stopped by its ward and takes nobody with it. Wards start no timer and run no effect: every step goes through the gate. @module */
import { type ActorLogic, type ActorRefFrom, createActor, enqueueActions, setup, stopChild } from 'xstate'
import type { SessionChart, SessionSnapshot, StampedEvent } from '../machines/session.ts'
import type { SessionId } from '../stores/session-store.ts'

/** Below one parent every spawn and stop copies its list of children (10 ms with 10,000); in one system every stop walks through the timers of
 *  all. With this many wards both cost 0.05 ms at 20,000 live sessions. */
const WARDS = 4096

/** A chart that starts in the snapshot it is given. */
type Woken = ActorLogic<SessionSnapshot, StampedEvent, SessionSnapshot>
export type SessionActor = ActorRefFrom<Woken>

type WardEvent =
  | { readonly type: 'session.woken'; readonly id: SessionId; readonly snapshot: SessionSnapshot }
  | { readonly type: 'session.dismissed'; readonly id: SessionId }
  | { readonly type: `xstate.error.actor.${string}` }

export interface Wards {
  spawn(id: SessionId, snapshot: SessionSnapshot): SessionActor
  stop(id: SessionId): void
}

const STILL = { setTimeout: () => 0, clearTimeout: () => {} } // deadlines are the gate's

function createWard(woken: Woken) {
  const ward = setup({ types: { events: {} as WardEvent }, actors: { woken } }).createMachine({
    on: {
      'session.woken': {
        actions: enqueueActions(({ enqueue, event: { id, snapshot } }) =>
          enqueue.spawnChild('woken', { id, input: snapshot }),
        ),
      },
      'session.dismissed': { actions: stopChild(({ event }) => event.id) },
      // the gate sees the error and drops the copy; without a handler the ward would die of it, with all its sessions
      'xstate.error.actor.*': {},
    },
  })
  return createActor(ward, { clock: STILL }).start()
}

export function createWards(chart: SessionChart): Wards {
  // `spawnChild` takes no snapshot; a logic that inherits from the chart, and whose initial snapshot is its input, does
  const start = (_scope: unknown, snapshot: SessionSnapshot): SessionSnapshot => snapshot
  const woken = Object.assign(Object.create(chart), { getInitialSnapshot: start }) as Woken
  const wards: ReturnType<typeof createWard>[] = []
  const wardOf = (id: SessionId) => {
    const number = [...id].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) >>> 0, 7) % WARDS
    const ward = wards[number] ?? createWard(woken)
    wards[number] = ward
    return ward
  }
  return {
    spawn(id, snapshot) {
      const ward = wardOf(id)
      ward.send({ type: 'session.woken', id, snapshot })
      const actor = ward.getSnapshot().children[id]
      if (!actor) throw new Error(`session ${id}: the ward did not spawn it`)
      return actor
    },
    stop: id => wardOf(id).send({ type: 'session.dismissed', id }),
  }
}
