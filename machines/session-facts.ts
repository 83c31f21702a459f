/** The facts of a session, and how its chart (machines/session.ts) begins with them. @module */
import { z } from 'zod'

const stayMs = z.int().nonnegative()

/** Properties that a session is created with. */
const given = {
  /** longest stay in `INITIALIZED` */
  timeoutMs: stayMs,
  /** longest stay in `PAIRING`, and again in `CONNECTED` */
  connectedTimeoutMs: stayMs,
  /** stay in a final status (spec/decisions#d4) */
  retentionMs: stayMs,
  hasCallback: z.boolean(),
  /** a valid submission leads to the next session of a chain */
  hasNextSession: z.boolean(),
  /** a valid submission is answered with signatures */
  issues: z.boolean(),
}
const sessionInput = z.object({ ...given, at: z.int() })

/** The facts of a session that its snapshot stores: small, and free of secrets. */
export const sessionFacts = z.strictObject({
  ...given,
  /** Unix ms: end of the status, or of the retention */
  deadlineAt: z.int(),
  pairing: z.enum(['none', 'pin']),
  /** as negotiated at the first GET; null before */
  protocolVersion: z.string().nullable(),
  /** the frontend has said that the user typed the correct code */
  isPaired: z.boolean(),
  /** an unbound app has fetched the session request; no later call gets it (spec/decisions#d27) */
  isFetched: z.boolean(),
  /** number of the active claim; null: none is active */
  claim: z.int().positive().nullable(),
})

export type SessionFacts = Readonly<z.output<typeof sessionFacts>>
/** `leaseUntil` is stored with the claim of the row, and only there. Unix ms: end of the lease of the last claim; 0: there was none. */
export type SessionContext = SessionFacts & { readonly leaseUntil: number }
export type SessionInput = Readonly<z.output<typeof sessionInput>>

export type Timed = { readonly at: number }
export type Claimed = { readonly claim: number }
export type Checked = Claimed & { readonly isValid: boolean }

export function isCurrent({ claim: current }: SessionContext, { claim }: Claimed): boolean {
  return claim === current
}

export function firstContext(input: SessionInput): SessionContext {
  return {
    deadlineAt: input.at + input.timeoutMs,
    timeoutMs: input.timeoutMs,
    connectedTimeoutMs: input.connectedTimeoutMs,
    retentionMs: input.retentionMs,
    hasCallback: input.hasCallback,
    hasNextSession: input.hasNextSession,
    issues: input.issues,
    pairing: 'none',
    protocolVersion: null,
    isPaired: false,
    isFetched: false,
    claim: null,
    leaseUntil: 0,
  }
}
