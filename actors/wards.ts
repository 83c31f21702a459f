/** Where live actors are: fixed parents, each a system of its own; an actor is spawned below `ward[hash(id)]`. An actor that crashes is stopped by its
 *  ward and takes nobody with it. Wards start no timer and run no effect: every step goes through the gate. @module */
import { type ActorLogic, type ActorRef, createActor, enqueueActions, setup, stopChild } from 'xstate'
import type { ChartOf, KindTypes } from './kind.ts'

/** The number of wards. Below one parent every spawn and stop copies its list of children (10 ms with 10,000); in one system every stop walks through the timers of
 *  all. With this many wards both cost 0.05 ms at 20,000 live actors. */
const WARDS = 4096

export type LiveActor<T extends KindTypes> = ActorRef<T['snapshot'], T['stamped']>

/** A chart that starts in the snapshot it is given. */
type Woken<T extends KindTypes> = ActorLogic<T['snapshot'], T['stamped'], T['snapshot']>

type WardEvent<T extends KindTypes> =
  | { readonly type: 'actor.woken'; readonly id: string; readonly snapshot: T['snapshot'] }
  | { readonly type: 'actor.dismissed'; readonly id: string }
  | { readonly type: `xstate.error.actor.${string}` }

export interface Wards<T extends KindTypes> {
  spawn(id: string, snapshot: T['snapshot']): LiveActor<T>
  stop(id: string): void
}

const STILL = { setTimeout: () => 0, clearTimeout: () => {} } // deadlines are the gate's

/** One chart for all wards: they differ in their actors alone. */
function createWardChart<T extends KindTypes>(woken: Woken<T>) {
  return setup({ types: { events: {} as WardEvent<T> }, actors: { woken } }).createMachine({
    on: {
      'actor.woken': {
        actions: enqueueActions(({ enqueue, event: { id, snapshot } }) =>
          enqueue.spawnChild('woken', { id, input: snapshot }),
        ),
      },
      'actor.dismissed': { actions: stopChild(({ event }) => event.id) },
      // the gate sees the error and drops the copy; without a handler the ward would die of it, with all its actors
      'xstate.error.actor.*': {},
    },
  })
}

export function createWards<T extends KindTypes>(chart: ChartOf<T>): Wards<T> {
  // `spawnChild` takes no snapshot; a logic that inherits from the chart, and whose initial snapshot is its input, does
  const start = (_scope: unknown, snapshot: T['snapshot']): T['snapshot'] => snapshot
  const woken = Object.assign(Object.create(chart), { getInitialSnapshot: start }) as Woken<T>
  const wardChart = createWardChart<T>(woken)
  const createWard = () => createActor(wardChart, { clock: STILL }).start()
  const wards: ReturnType<typeof createWard>[] = []
  const wardOf = (id: string) => {
    const number = numberOf(id)
    const ward = wards[number] ?? createWard()
    wards[number] = ward
    return ward
  }
  return {
    spawn(id, snapshot) {
      const ward = wardOf(id)
      ward.send({ type: 'actor.woken', id, snapshot })
      const actor = ward.getSnapshot().children[id]
      if (!actor) throw new Error(`actor ${id}: the ward did not spawn it`)
      return actor
    },
    stop: id => wardOf(id).send({ type: 'actor.dismissed', id }),
  }
}

function numberOf(id: string): number {
  let hash = 7
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) >>> 0
  return hash % WARDS
}
