/** A whole session server of a script. Its work and its callbacks end when the script ends them. @module */

import { pino } from 'pino'
import type { EffectOutcome, PerformEffect } from '../../actors/effects/effects.ts'
import type { AnsweredEffect } from '../../machines/session.ts'
import { type Outgoing, OutgoingError } from '../../ports/outgoing.ts'
import type { SimulatedClock } from '../../ports/simulated-clock.ts'
import { createNode, type SessionNode } from '../../server/create-node.ts'
import type { World as OfNode } from '../../server/world.ts'
import { NO_REVOCATION } from '../actors/no-revocation.ts'
import { withMethods } from '../http/harness.ts'
import { idlePool, noNetwork, settingsOfTest } from '../server/node-of-test.ts'
import { type Connections, connectionsTo } from './connections.ts'
import type { StoreView } from './shared-store.ts'

export const STAY_MS = 60_000
export const RETENTION_MS = 120_000
const URL_OF_SERVER = 'http://sessions.example/'
const SETTINGS = settingsOfTest({ url: URL_OF_SERVER, resultLifetimeMs: RETENTION_MS })

/** The kind of a session, which decides the work on its submission. */
export type Kind = { readonly hasNextSession: boolean; readonly issues: boolean }

/** One effect that a node performs, until the script ends it. */
export type Work = {
  readonly view: StoreView
  readonly claim: number
  readonly effect: AnsweredEffect
  readonly signal: AbortSignal
  readonly done: (outcome: EffectOutcome) => void
  readonly died: (error: Error) => void
}

/** A posted callback. */
export type Posted = { readonly view: StoreView; readonly key: string; readonly body: string }

export type PlayedNode = Connections & {
  readonly view: StoreView
  readonly node: SessionNode
}

export type Surroundings = {
  readonly clock: SimulatedClock
  readonly random: OfNode['random']
  readonly kind: Kind
  /** called at every event */
  readonly note: () => void
  readonly work: (work: Work) => void
  /** @returns the status of the answer; null for none */
  readonly post: (posted: Posted) => number | null
  readonly logged: (line: string) => void
}

export async function startPlayedNode(view: StoreView, around: Surroundings): Promise<PlayedNode> {
  const { clock: shared, random, kind, note, logged } = around
  const setTimeout: SimulatedClock['setTimeout'] = (callback, ms) =>
    shared.setTimeout(() => view.fate !== 'gone' && callback(), ms)
  const node = await createNode(SETTINGS, {
    clock: { ...shared, setTimeout, now: () => shared.now() - view.aheadMs },
    random,
    fetch: noNetwork,
    log: pino(
      { level: 'error', messageKey: 'text' },
      { write: (line: string) => logged(JSON.parse(line).text) },
    ),
    instead: {
      store: view.store,
      pool: idlePool(),
      revocation: NO_REVOCATION,
      outgoing: outgoingOf(view, around),
      effects: () => heldEffects(view, around),
      sessions: sessions =>
        withMethods(sessions, { open: session => sessions.open({ ...session, ...kind }) }),
    },
  })
  return { ...connectionsTo(node.server.app.callback(), note), view, node }
}

function heldEffects(view: StoreView, { work, note }: Surroundings): Record<AnsweredEffect, PerformEffect> {
  const held =
    (effect: AnsweredEffect): PerformEffect =>
    ({ claim }, signal) =>
      new Promise((done, died) => {
        note()
        work({ view, effect, signal, done, died, claim: claim?.number ?? 0 })
      })
  return { check: held('check'), askNext: held('askNext'), sign: held('sign') }
}

function outgoingOf(view: StoreView, { post, note }: Surroundings): Outgoing {
  const never = (): Promise<never> => Promise.reject(new OutgoingError('expected no such call in a script'))
  return {
    post: never,
    get: never,
    getBytes: never,
    postBytes: never,
    async notify(_url, { body, idempotencyKey: key }) {
      note()
      if (view.fate === 'gone') return new Promise(() => {})
      const status = post({ view, key, body })
      if (status === null) throw new OutgoingError('expected an answer, got none')
      return { status, retryAfter: null }
    },
  }
}
