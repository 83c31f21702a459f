/** The sessions of the cluster: their kinds, and the requests of requestors. @module */

import type { Profile } from '../../../protocol/profiles.ts'
import type { SessionFacts } from '../../history/lines.ts'
import { CARD, TICKET } from '../kill-facts.ts'
import { oneOf } from './field.ts'
import type { Receiver } from './receiver.ts'

export const SESSION_KINDS = ['disclosing', 'signing', 'issuing', 'combined', 'chained'] as const
export type SessionKind = (typeof SESSION_KINDS)[number]

/** The last act of a wallet app: it submits once or twice at the same time, or submits two different answers, proofs that do not fit or bytes that are no answer;
 *  or it deletes the session, or leaves. */
export const MANNERS = [
  'submits',
  'submits',
  'submits',
  'submits',
  'submits twice',
  'submits two',
  'wrong',
  'malformed',
  'deletes',
  'goes away',
] as const
export type Manner = (typeof MANNERS)[number]

export type Plan = {
  readonly kind: SessionKind
  readonly manner: Manner
  readonly isPairing: boolean
  readonly hasCallback: boolean
  /** a party deletes the session meanwhile */
  readonly isDeleted: boolean
  /** 0: the timeout of the profile */
  readonly timeoutSec: number
}

const ABANDONED_SEC = 3

export function planFrom(random: () => number): Plan {
  const manner = oneOf(random, MANNERS as unknown as readonly [Manner, ...Manner[]])
  return {
    manner,
    kind: oneOf(random, SESSION_KINDS),
    isPairing: random() < 0.3,
    hasCallback: random() < 0.6,
    isDeleted: random() < 0.08,
    timeoutSec: manner === 'goes away' ? ABANDONED_SEC : 0,
  }
}

/** The inner request, without its envelope. */
function requestOf(kind: SessionKind, { contextBase }: Profile): object {
  const disclose = [[[`${CARD}.name`]]]
  const of = (type: string): object => ({ '@context': `${contextBase}/ld/request/${type}/v2` })
  const credentials = [{ credential: TICKET, attributes: { seat: '1', row: 'A' } }]
  switch (kind) {
    case 'signing':
      return { ...of('signature'), message: 'the terms of the shop', disclose }
    case 'issuing':
      return { ...of('issuance'), credentials }
    case 'combined':
      return { ...of('issuance'), credentials, disclose }
    default:
      return { ...of('disclosure'), disclose }
  }
}

export type Extended = { readonly facts: SessionFacts; readonly request: object }

/** @param session its name; the next one of its chain has the same name with `.1` */
export function extendedRequest(
  session: string,
  plan: Plan,
  profile: Profile,
  receiver: Pick<Receiver, 'callbackOf' | 'nextOf'>,
): Extended {
  const { kind, hasCallback, timeoutSec } = plan
  const hasNextSession = kind === 'chained'
  const stayMs = timeoutSec === 0 ? profile.defaultTimeoutMs : timeoutSec * 1_000
  const next = (): object => extendedRequest(nextOf(session), nextPlan(plan), profile, receiver).request
  return {
    facts: {
      hasCallback,
      hasNextSession,
      issues: kind === 'issuing' || kind === 'combined',
      timeoutMs: stayMs,
      connectedTimeoutMs: stayMs,
      retentionMs: 300_000,
    },
    request: {
      ...(timeoutSec !== 0 && { timeout: timeoutSec }),
      ...(hasCallback && { callbackUrl: receiver.callbackOf(session) }),
      ...(hasNextSession && { nextSession: { url: receiver.nextOf(session, next()) } }),
      request: requestOf(kind, profile),
    },
  }
}

export function nextOf(session: string): string {
  return `${session}.1`
}

/** A chain ends with a credential. */
export function nextPlan(plan: Plan): Plan {
  return { ...plan, kind: 'issuing', manner: 'submits', isPairing: false, isDeleted: false, timeoutSec: 0 }
}
