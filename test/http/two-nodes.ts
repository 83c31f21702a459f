/** Two session servers on one store. A test can make their notifications and reads fail. Also the steps of a session with pairing, up to its end. @module */
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { CommitListener, SessionServerStore } from '../../stores/store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { withChanges, withSessions } from '../stores/with-changes.ts'
import type { Stream } from './client.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'

/** One node's view of the shared store. Its notifications may be lost, and its reads may fail. */
type View = {
  readonly store: SessionServerStore
  isDeaf: boolean
  isGone: boolean
  miss(): void
  loads: string[]
}

function viewOf(inner: ReturnType<typeof createMemoryStore>): View {
  let missed = (): void => {}
  const view: View = {
    isDeaf: false,
    isGone: false,
    loads: [],
    miss: () => missed(),
    store: withChanges(inner, {
      sessions: withSessions(inner, {
        async load(id) {
          if (view.isGone) throw new StoreError('the store is gone')
          view.loads.push(id)
          return inner.sessions.load(id)
        },
      }),
      subscribe(listener: CommitListener, whenMissed = () => {}) {
        missed = whenMissed
        return inner.subscribe((...heard) => view.isDeaf || listener(...heard))
      },
    }),
  }
  return view
}

export type Node = ServerOfTest & { readonly view: View }

/** Two nodes on one store. */
export function withNodes(use: (a: Node, b: Node) => Promise<void>): Promise<void> {
  const clock = createSimulatedClock(Date.UTC(2026, 5, 1))
  const inner = createMemoryStore()
  const [viewA, viewB] = [viewOf(inner), viewOf(inner)]
  return withServer({ clock, store: viewA.store }, a =>
    withServer({ clock, store: viewB.store }, b => use({ ...a, view: viewA }, { ...b, view: viewB })),
  )
}

/** Every kind of stream: its path, and the data of its events. */
export const KINDS = {
  requestor: {
    path: ({ requestor }: SessionOfTest) => `${requestor}/statusevents`,
    said: (status: string): unknown => status,
  },
  app: {
    path: ({ app }: SessionOfTest) => `${app}/statusevents`,
    said: (status: string): unknown => status,
  },
  frontend: {
    path: ({ frontend }: SessionOfTest) => `${frontend}/statusevents`,
    said: (status: string): unknown => ({ status }),
  },
} as const
export type Kind = keyof typeof KINDS

export function openAt(
  node: ServerOfTest,
  kind: Kind,
  session: SessionOfTest,
  lastId: string | null,
): Promise<Stream> {
  const ids = lastId === null ? {} : { 'Last-Event-ID': lastId }
  return node.open(KINDS[kind].path(session), { ...session.authorization, ...ids })
}

export function frame(kind: Kind, status: string): string {
  return `id: ${status}\ndata: ${JSON.stringify(KINDS[kind].said(status))}`
}

/** The calls of a session with pairing up to its end, each with the status after it. */
export const STEPS: readonly (readonly [
  status: string,
  (node: ServerOfTest, session: SessionOfTest) => Promise<unknown>,
])[] = [
  ['PAIRING', (node, { app }) => node.call('GET', app, { headers: appHeaders() })],
  [
    'CONNECTED',
    (node, { frontend, authorization }) =>
      node.call('POST', `${frontend}/pairingcompleted`, { headers: authorization }),
  ],
  [
    'DONE',
    async (node, { app }) => {
      await node.call('GET', `${app}/request`, { headers: appHeaders() })
      await node.call('POST', `${app}/proofs`, { headers: appHeaders(), body: {} })
    },
  ],
]

export async function withPairing(node: ServerOfTest): Promise<SessionOfTest> {
  const session = await node.create()
  const body = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
  await node.call('POST', `${session.frontend}/options`, { headers: session.authorization, body })
  return session
}

export async function play(
  node: ServerOfTest,
  session: SessionOfTest,
  from: number,
  to: number,
): Promise<void> {
  for (const [, step] of STEPS.slice(from, to)) await step(node, session)
}

export async function rest(stream: Stream): Promise<string[]> {
  const frames: string[] = []
  for (let next = await stream.next(); next !== null; next = await stream.next()) frames.push(next)
  return frames
}
