/** An adversary registers accounts without end, from one address, with a forged `X-Forwarded-For`, and from many addresses. Accounts that no app uses stay. @module */
import { DAY_MS } from '../../../actors/mails/settings.ts'
import { withPage } from '../../http/account-page/harness.ts'
import { until } from '../../patience.ts'
import type { Attack } from '../attack.ts'

const TRIES = 50
const BOUNDS = { registrations_per_caller: 5, registrations_per_minute: 20 }

export const attack: Attack = {
  name: 'registration-flood',
  gains: 'accounts without a bound, which fill the store for good',
  cites: 'spec/decisions#bounds-of-callers',
  on: 'own servers',
  async run() {
    const address = (i: number) => ({ 'X-Forwarded-For': `203.0.113.${i}` })
    const trusting = { ...BOUNDS, trusted_proxies: ['127.0.0.1'] }
    const strict = { ...BOUNDS, trusted_proxies: ['192.0.2.1'] }
    const gained = [
      ...(await flood('from one address', trusting, () => ({}), 5)),
      ...(await flood('with forged addresses', strict, address, 5)),
      ...(await flood('from many addresses', trusting, address, 20)),
    ]
    return gained.length === 0 ? null : gained.join('; ')
  },
}

async function flood(
  what: string,
  values: Readonly<Record<string, unknown>>,
  headersOf: (i: number) => Readonly<Record<string, string>>,
  most: number,
): Promise<string[]> {
  const gained: string[] = []
  await withPage(async ({ client, clock, node }) => {
    let accepted = 0
    for (let i = 0; i < TRIES; i++) {
      const call = { headers: headersOf(i), body: { pin: 'pin' } }
      accepted += (await client.call('POST', '/client/register', call)).status === 200 ? 1 : 0
    }
    if (accepted > most) gained.push(`${accepted} of ${TRIES} accounts ${what} at once`)
    const { accounts } = node.store
    const due = await accounts.toDelete(clock.now() + 30 * DAY_MS, TRIES)
    if (due.length < accepted) gained.push(`${accepted - due.length} unused accounts ${what} stay for good`)
    clock.advance(30 * DAY_MS)
    if (due.length === accepted) await until(async () => (await accounts.count()) === 0, 'no account')
  }, values)
  return gained
}
