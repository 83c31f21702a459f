/** Events of the protocol engine that end no login. */
import { errors, Provider } from 'oidc-provider'
import * as assert from 'uvu/assert'
import { watchProvider } from '../../../http/oidc/watch-provider.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { suite } from '../../suite.ts'

const Watched = suite('the events of an OpenID provider')

/** @returns the calls of the figures */
function watched() {
  const calls: string[] = []
  const provider = new Provider('http://127.0.0.1')
  const note =
    (name: string) =>
    (...values: readonly unknown[]) =>
      void calls.push([name, ...values].join(' '))
  watchProvider(provider, {
    signIns: {
      begun: note('begun'),
      finished: note('finished'),
      tokenAsked: note('tokenAsked'),
      bounded: note('bounded'),
      watchKeys: note('watchKeys'),
    },
    openLogins: { begun: note('opened'), ended: note('ended') },
    clock: createSimulatedClock(12_000),
    lifetimeSec: 900,
  })
  return { calls, provider }
}

/** The context of an event, with the members that are read. */
const contextOf = (entities: object) =>
  Object({ oidc: { route: 'authorization', client: { clientId: 'shop' }, entities } })

Watched('an error of a request that began no login ends no login', () => {
  const { calls, provider } = watched()
  provider.emit('authorization.error', contextOf({}), new errors.LoginRequired())
  provider.emit('server_error', contextOf({}), new Error('store'))
  provider.emit('server_error', Object({}), new Error('before any route'))
  assert.equal(calls, [])
})

Watched('an error of a login that has begun ends it', () => {
  const { calls, provider } = watched()
  const context = contextOf({ Interaction: { uid: 'uid', iat: 10 } })
  provider.emit('server_error', context, new Error('store'))
  assert.equal(calls, ['ended uid', 'finished shop error 2'])
})

Watched.run()
