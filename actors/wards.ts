/** The parents of live actors: a fixed number of wards, each a system of its own. An actor is spawned below `ward[hash(id)]`. A crashing actor affects no other
 *  actor. Wards start no timer and run no effect: every step goes through the gate. @module */
import { type ActorRef, type AnyActorRef, type AnyEventObject, createActor, fromTransition } from 'xstate'
import type { ChartOf, KindTypes } from './kind.ts'

/** The number of wards. In one system, every stop of an actor iterates over the timers of all actors (5 ms with 20,000 actors). With this many wards it costs
 *  0.05 ms. */
const WARDS = 4096

export type LiveActor<T extends KindTypes> = ActorRef<T['snapshot'], T['stamped']>

export interface Wards<T extends KindTypes> {
  spawn(id: string, snapshot: T['snapshot']): LiveActor<T>
  stop(id: string): void
}

const STILL = { setTimeout: () => 0, clearTimeout: () => {} } // the gate handles deadlines

/** Only its ward can stop an actor. */
type Dismissed = { readonly type: 'actor.dismissed'; readonly actor: AnyActorRef }

/** A ward stops actors on request. It ignores all other events, crashes included: the gate sees the error and drops the copy. */
const ward = fromTransition((state: null, event: Dismissed | AnyEventObject, { stopChild }) => {
  if (isDismissed(event)) stopChild(event.actor)
  return state
}, null)

function isDismissed(event: Dismissed | AnyEventObject): event is Dismissed {
  return event.type === 'actor.dismissed'
}

export function createWards<T extends KindTypes>(chart: ChartOf<T>): Wards<T> {
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
      const actor = createActor(chart, { parent: wardOf(id), id, snapshot }).start()
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
