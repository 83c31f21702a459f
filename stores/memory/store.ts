/** Sessions in memory: gone with the process, so every claim in it is of a live node. @module */
import type { DeliveryStore } from '../delivery-store.ts'
import { dueAt } from '../due-at.ts'
import type { CommitListener, Inserts, SessionId, SessionRow, SessionStore } from '../session-store.ts'
import { hashOfToken } from '../token-hash.ts'
import { MemoryDeliveries } from './deliveries.ts'
import { DueIndex } from './due-index.ts'
import { createMemoryRevocation } from './revocation.ts'

type Tables = {
  readonly sessions: Map<SessionId, SessionRow>
  readonly due: DueIndex
  /** hash of a requestor token, to its session */
  readonly requestorTokens: Map<string, SessionId>
  readonly deliveries: MemoryDeliveries
}

function assertNoCollision(tables: Tables, { sessions = [], owed = [] }: Inserts): void {
  for (const { id, requestorToken } of sessions)
    if (tables.sessions.has(id) || tables.requestorTokens.has(hashOfToken(requestorToken)))
      throw new Error(`memory store: session ${id} exists`)
  for (const { id } of owed)
    if (tables.deliveries.has(id)) throw new Error(`memory store: owed row ${id} exists`)
}

function put(tables: Tables, row: SessionRow): void {
  tables.sessions.set(row.id, row)
  tables.due.set(row.id, dueAt(row))
  tables.requestorTokens.set(hashOfToken(row.requestorToken), row.id)
}

function remove(tables: Tables, id: SessionId): void {
  const row = tables.sessions.get(id)
  if (row) tables.requestorTokens.delete(hashOfToken(row.requestorToken))
  tables.sessions.delete(id)
  tables.due.delete(id)
}

/** @returns false if another version is stored; then nothing changed */
function apply(tables: Tables, id: SessionId, version: number, row: SessionRow | null, inserts: Inserts) {
  if ((tables.sessions.get(id)?.version ?? 0) !== version) return false
  const created = version === 0 && row ? [row] : []
  assertNoCollision(tables, { ...inserts, sessions: [...created, ...(inserts.sessions ?? [])] })
  if (row) put(tables, row)
  else remove(tables, id)
  for (const session of inserts.sessions ?? []) put(tables, session)
  for (const owed of inserts.owed ?? []) tables.deliveries.put(owed)
  return true
}

function isOfChart(row: SessionRow | undefined, chart: number): boolean {
  return row !== undefined && (row.chart ?? 0) <= chart
}

function dueIn({ sessions, due }: Tables, until: number, chart: number, limit: number): SessionId[] {
  const ids: SessionId[] = []
  for (const { id, at } of due.inOrder()) {
    if (at > until || ids.length === limit) break
    if (isOfChart(sessions.get(id), chart)) ids.push(id)
  }
  return ids
}

/** As functions of their own, which the parts of this store are. */
function handedOn(deliveries: MemoryDeliveries): DeliveryStore {
  return {
    load: id => deliveries.load(id),
    commit: (id, version, row) => deliveries.commit(id, version, row),
    dueOf: (host, at, limit) => deliveries.dueOf(host, at, limit),
    nextDueAfter: at => deliveries.nextDueAfter(at),
    dueHosts: (at, limit) => deliveries.dueHosts(at, limit),
    sending: () => deliveries.sending(),
    list: () => deliveries.list(),
  }
}

export function createMemoryStore(): SessionStore {
  const tables: Tables = {
    sessions: new Map(),
    due: new DueIndex(),
    requestorTokens: new Map(),
    deliveries: new MemoryDeliveries(),
  }
  const listeners = new Set<CommitListener>()
  return {
    load: async id => tables.sessions.get(id) ?? null,
    findByRequestorToken: async token => tables.requestorTokens.get(hashOfToken(token)) ?? null,
    async commit(id, version, row, inserts = {}) {
      const isCommitted = apply(tables, id, version, row, inserts)
      if (isCommitted) for (const listener of listeners) listener(id, inserts.change ?? null, inserts.owed)
      return isCommitted
    },
    due: async (at, chart, limit) => dueIn(tables, at, chart, limit),
    nextDueAfter: async (after, chart) => {
      for (const { id, at } of tables.due.inOrder())
        if (at > after && isOfChart(tables.sessions.get(id), chart)) return at
      return null
    },
    async dropAnswers(answeredBefore) {
      for (const row of tables.sessions.values())
        if (row.answered && row.answered.answeredAt < answeredBefore)
          tables.sessions.set(row.id, { ...row, answered: null })
    },
    count: async () => tables.sessions.size,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isAlive: async () => true,
    deliveries: handedOn(tables.deliveries),
    revocation: createMemoryRevocation(),
    async close() {},
  }
}
