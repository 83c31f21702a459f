/** Figures of the accounts of a keyshare server, derived from the entries that commits add to the activity log. They contain no user names. @module */
import type { Meter } from '../../ports/meter.ts'
import type { AccountRow, LogEvent } from '../../stores/account-store.ts'
import type { Inserts } from '../../stores/store.ts'
import type { DeliveryFigures } from './delivery-figures.ts'

/** The outcomes of an attempt to log in. An account that a failed attempt blocks is counted separately. */
const OUTCOMES = {
  PIN_CHECK_SUCCESS: 'right',
  PIN_CHECK_FAILED: 'wrong',
  PIN_CHECK_REFUSED: 'refused',
} as const satisfies Partial<Record<LogEvent, string>>

export type LoginFigures = {
  readonly committed: (before: AccountRow | null, after: AccountRow | null, inserts: Inserts) => void
}

export function loginFigures(meter: Meter, { owed }: Pick<DeliveryFigures, 'owed'>): LoginFigures {
  const counter = (name: string, help: string) => {
    const add = meter.counter({ name, help, labels: [] }, [{}])
    return () => add({})
  }
  const attempts = meter.counter(
    {
      name: 'svc_keyshare_logins_total',
      help: 'Logins by result of the PIN check: right, wrong, or refused because the account is blocked',
      labels: ['outcome'],
    },
    Object.values(OUTCOMES).map(outcome => ({ outcome })),
  )
  const registered = counter('svc_keyshare_registrations_total', 'Accounts that were registered')
  const blocked = counter('svc_keyshare_blocks_total', 'Accounts that were blocked by wrong PINs')
  const answered = counter('svc_keyshare_responses_total', 'Commitments that got their response')

  function note(event: LogEvent): void {
    if (event === 'PIN_CHECK_BLOCKED') blocked()
    else if (event === 'SESSION') answered()
    else attempts({ outcome: OUTCOMES[event] })
  }

  return {
    committed(before, after, { account, owed: deliveries = [] }) {
      if (before === null && after !== null) registered()
      for (const { event } of account?.log ?? []) note(event)
      deliveries.forEach(owed)
    },
  }
}
