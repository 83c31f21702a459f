/** The sources of actors for inspectors, one for each kind. A source only reads the store, so inspecting an actor never moves it. Each also connects the gate
 *  of its kind, which reports its steps. @module */
import type { Inserts, Store } from '../../stores/store.ts'
import type { DeliveryKind } from '../kinds/delivery.ts'
import type { LoginKind } from '../kinds/login.ts'
import type { SessionKind } from '../kinds/session.ts'
import type { ActorSource, Inspection } from './inspection.ts'
import { type ShownActor, shownAccount, shownDelivery, shownSession, type View } from './views.ts'
import { type Watch, watchOf } from './watch.ts'

/** True if the actor of a row is in memory. */
type IsAwake = (id: string) => boolean

export function inspectSessions(
  inspection: Inspection,
  { sessions }: Pick<Store, 'sessions'>,
  isAwake: IsAwake,
): Watch<SessionKind> {
  inspection.add(sourceOf('session', sessions, shownSession, isAwake))
  return watchOf<SessionKind>(inspection, 'session', shownSession, begun)
}

export function inspectDeliveries(
  inspection: Inspection,
  { deliveries }: Pick<Store, 'deliveries'>,
  isAwake: IsAwake,
): Watch<DeliveryKind> {
  inspection.add(sourceOf('delivery', deliveries, shownDelivery, isAwake))
  return watchOf<DeliveryKind>(inspection, 'delivery', shownDelivery)
}

export function inspectAccounts(
  inspection: Inspection,
  { accounts }: Pick<Store, 'accounts'>,
  isAwake: IsAwake,
): Watch<LoginKind> {
  inspection.add(sourceOf('login', accounts, shownAccount, isAwake))
  return watchOf<LoginKind>(inspection, 'login', shownAccount, begun)
}

function begun({ sessions = [], owed = [] }: Inserts): readonly ShownActor[] {
  return [...sessions.map(row => shownSession(row, false)), ...owed.map(row => shownDelivery(row, false))]
}

/** The part of a store that inspectors read. */
type Part<Listed> = {
  load(id: string): Promise<Listed | null>
  count(): Promise<number>
  newest(limit: number): Promise<readonly Listed[]>
}

function sourceOf<Listed extends { readonly id: string }>(
  chart: ActorSource['chart'],
  part: Part<Listed>,
  view: View<Listed>,
  isAwake: IsAwake,
): ActorSource {
  const shown = (row: Listed): ShownActor => view(row, isAwake(row.id))
  return {
    chart,
    async newest(limit) {
      const rows = await part.newest(limit)
      return { total: await part.count(), actors: rows.map(shown) }
    },
    async find(id) {
      const row = await part.load(id)
      return row && shown(row)
    },
  }
}
