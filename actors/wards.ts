/** Where live actors are: fixed parents, each a system of its own; an actor is spawned below `ward[hash(id)]`. An actor that crashes
 *  takes nobody with it. Wards start no timer and run no effect: every step goes through the gate. @module */
import {
  type ActorLogic,
  type ActorRef,
  type AnyActorRef,
  type AnyEventObject,
  createActor,
  fromTransition,
} from 'xstate'
import type { ChartOf, KindTypes } from './kind.ts'

/** The number of wards: in one system every stop of an actor walks through the timers of all (5 ms with 20,000 actors). With this many it costs 0.05 ms. */
const WARDS = 4096

export type LiveActor<T extends KindTypes> = ActorRef<T['snapshot'], T['stamped']>

/** A chart that starts in the snapshot it is given. */
type Woken<T extends KindTypes> = ActorLogic<T['snapshot'], T['stamped'], T['snapshot']>

export interface Wards<T extends KindTypes> {
  spawn(id: string, snapshot: T['snapshot']): LiveActor<T>
  stop(id: string): void
}

const STILL = { setTimeout: () => 0, clearTimeout: () => {} } // deadlines are the gate's

/** Nobody but its ward can stop an actor. */
type Dismissed = { readonly type: 'actor.dismissed'; readonly actor: AnyActorRef }

/** A ward stops what it is told to stop, and ignores all else, as that an actor has crashed: the gate sees the error and drops the copy. */
const ward = fromTransition((state: null, event: Dismissed | AnyEventObject, { stopChild }) => {
  if (isDismissed(event)) stopChild(event.actor)
  return state
}, null)

function isDismissed(event: Dismissed | AnyEventObject): event is Dismissed {
  return event.type === 'actor.dismissed'
}

export function createWards<T extends KindTypes>(chart: ChartOf<T>): Wards<T> {
  // an actor begins in the initial snapshot of its logic: this logic is the chart, but for that snapshot, which is its input
  const start = (_scope: unknown, snapshot: T['snapshot']): T['snapshot'] => snapshot
  const woken: Woken<T> = Object.assign(Object.create(chart), { getInitialSnapshot: start })
  const createWard = () => createActor(ward, { clock: STILL }).start()
  const wards: ReturnType<typeof createWard>[] = []
  const spawned = new Map<string, LiveActor<T>>()
  const wardOf = (id: string) => {
    const number = numberOf(id)
    const ward = wards[number] ?? createWard()
    wards[number] = ward
    return ward
  }
  return {
    spawn(id, snapshot) {
      const actor = createActor(woken, { parent: wardOf(id), id, input: snapshot }).start()
      spawned.set(id, actor)
      return actor
    },
    stop(id) {
      const actor = spawned.get(id)
      if (actor === undefined) return
      spawned.delete(id)
      wardOf(id).send({ type: 'actor.dismissed', actor })
    },
  }
}

function numberOf(id: string): number {
  let hash = 7
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) >>> 0
  return hash % WARDS
}
