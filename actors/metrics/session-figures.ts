/** Figures of sessions: commits, which gates report (`GateDeps.count`), and claims. A figure counts only the commits of this node. @module */
import { enteredAt, isOver } from '../../machines/session-snapshot.ts'
import type { Meter } from '../../ports/meter.ts'
import type { SessionType } from '../../protocol/request.ts'
import type { SessionRow, SessionStatus } from '../../stores/session-store.ts'
import type { Inserts } from '../../stores/store.ts'
import type { DeliveryFigures } from './delivery-figures.ts'
import { requestorLabel } from './requestor-label.ts'

const TYPES: readonly SessionType[] = ['disclosing', 'signing', 'issuing']
/** The type of a session whose stored request cannot be read. */
const UNREADABLE = 'unreadable'
const FINAL: readonly SessionStatus[] = ['DONE', 'CANCELLED', 'TIMEOUT']
const PAIRING_OUTCOMES = ['completed', 'cancelled', 'timeout'] as const
type PairingOutcome = (typeof PAIRING_OUTCOMES)[number]
/** Buckets for actions of people: seconds to minutes. */
const PEOPLE_SEC = [1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600]
/** Buckets for work of a server: milliseconds to seconds. */
const CLAIM_SEC = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export type SessionFigures = {
  readonly committed: (before: SessionRow | null, after: SessionRow | null, inserts: Inserts) => void
  /** @param ms from the commit of the claim to the commit of its end */
  readonly claimed: (row: SessionRow, ms: number) => void
}

/** @param requestors names in the settings */
export function sessionFigures(
  meter: Meter,
  requestors: readonly string[],
  { owed }: Pick<DeliveryFigures, 'owed'>,
): SessionFigures {
  const { created, finished, pairingEnded } = countersOf(meter, requestors)
  const { connect, answer, claim } = durationsOf(meter)
  const requestor = requestorLabel(requestors)
  const labelsOf = (row: SessionRow) => ({ type: typeOf(row), requestor: requestor(row.requestor) })
  const begun = (row: SessionRow): void => created(labelsOf(row))

  function moved(before: SessionRow, after: SessionRow): void {
    const labels = labelsOf(after)
    const { type } = labels
    const { status } = after
    const tookSec = (statusEnteredAt(after) - statusEnteredAt(before)) / 1_000
    if (before.status === 'INITIALIZED' && !isOver(status)) connect({ type }, tookSec)
    if (before.status === 'PAIRING') pairingEnded({ outcome: pairingOutcome(status) })
    if (status === 'DONE') answer({ type }, tookSec) // only a connected session has a result
    if (isOver(status)) finished({ ...labels, status })
  }

  return {
    committed(before, after, { sessions = [], owed: deliveries = [] }) {
      if (before === null && after !== null) begun(after)
      if (before !== null && after !== null && before.status !== after.status) moved(before, after)
      sessions.forEach(begun)
      deliveries.forEach(owed)
    },
    claimed: (row, ms) => claim({ type: typeOf(row) }, ms / 1_000),
  }
}

function countersOf(meter: Meter, requestors: readonly string[]) {
  const known = requestors.length > 0 ? [] : TYPES.map(type => ({ type, requestor: '' }))
  return {
    created: meter.counter(
      { name: 'svc_sessions_created_total', help: 'Sessions that began', labels: ['type', 'requestor'] },
      known,
    ),
    finished: meter.counter(
      {
        name: 'svc_sessions_finished_total',
        help: 'Sessions that came into a final status',
        labels: ['type', 'requestor', 'status'],
      },
      known.flatMap(labels => FINAL.map(status => ({ ...labels, status }))),
    ),
    pairingEnded: meter.counter(
      {
        name: 'svc_pairing_ended_total',
        help: 'Sessions that left the status PAIRING, by how pairing ended',
        labels: ['outcome'],
      },
      PAIRING_OUTCOMES.map(outcome => ({ outcome })),
    ),
  }
}

function durationsOf(meter: Meter) {
  const durations = (name: string, help: string, bucketsSec: readonly number[]) =>
    meter.durations({ name, help, labels: ['type'] }, bucketsSec)
  return {
    connect: durations(
      'svc_session_connect_seconds',
      'Time from the creation of a session to the first call of the wallet app',
      PEOPLE_SEC,
    ),
    answer: durations(
      'svc_session_answer_seconds',
      'Time from the moment at which a session is connected to its end with a result',
      PEOPLE_SEC,
    ),
    claim: durations(
      'svc_session_claim_seconds',
      'Time from the commit that takes a submission to the commit of its outcome',
      CLAIM_SEC,
    ),
  }
}

/** @param status that follows PAIRING */
function pairingOutcome(status: SessionStatus): PairingOutcome {
  if (!isOver(status)) return 'completed'
  return status === 'TIMEOUT' ? 'timeout' : 'cancelled'
}

function typeOf({ request }: SessionRow): SessionType | typeof UNREADABLE {
  try {
    return request.value.request.type
  } catch {
    return UNREADABLE // the gate closes such a session, and reports it
  }
}

/** When the session entered its status; Unix ms. For a session that was closed without its chart it is the end of its retention. */
function statusEnteredAt(row: SessionRow): number {
  return enteredAt(row) ?? row.deadlineAt
}
