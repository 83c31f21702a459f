/** The records of the provider under two nodes that get one code, one pushed request or one assertion at the same time. */
import { errors } from 'oidc-provider'
import * as assert from 'uvu/assert'
import { parseStorageKey, storageKeyFile } from '../../../accounts/storage-keys.ts'
import { createOidcRecords } from '../../../actors/oidc/records.ts'
import { createAdapters } from '../../../http/oidc/adapter.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { suite } from '../../suite.ts'

const Adapters = suite('records of the provider, for oidc-provider')

function newAdapters() {
  const primary = parseStorageKey(storageKeyFile(0, systemRandomness.bytes(32)))
  return createAdapters(
    createOidcRecords({
      store: createMemoryStore(),
      clock: createSimulatedClock(),
      randomness: systemRandomness,
      keys: { primary, older: [] },
    }),
  )
}

const thrownBy = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error)

Adapters('the second use of a code, at another node, is invalid_grant and ends the grant', async () => {
  const adapterFor = newAdapters()
  const [codes, tokens, grants] = ['AuthorizationCode', 'AccessToken', 'Grant'].map(adapterFor)
  assert.ok(codes && tokens && grants)
  await grants.upsert('grant', {}, 60)
  await codes.upsert('code', { grantId: 'grant' }, 60)
  await tokens.upsert('token', { grantId: 'grant' }, 60)
  await codes.consume('code')
  assert.ok(await tokens.find('token'))
  assert.instance(await thrownBy(codes.consume('code')), errors.InvalidGrant)
  assert.is(await tokens.find('token'), undefined)
  assert.is(await grants.find('grant'), undefined)
})

Adapters('a pushed request that was used before is invalid_request_uri', async () => {
  const requests = newAdapters()('PushedAuthorizationRequest')
  await requests.upsert('request', {}, 60)
  await requests.consume('request')
  assert.instance(await thrownBy(requests.consume('request')), errors.InvalidRequestUri)
})

Adapters(
  'an assertion of a client that another node has stored is refused like a second use at the same node',
  async () => {
    const assertions = newAdapters()('ReplayDetection')
    await assertions.upsert('jti', {}, 60)
    assert.instance(await thrownBy(assertions.upsert('jti', {}, 60)), errors.InvalidClientAuth)
  },
)

Adapters.run()
