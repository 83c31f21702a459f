/** The records of the provider under two nodes that redeem one code at the same time. */
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

Adapters('the later of two nodes gets invalid_grant, and the tokens of the grant end', async () => {
  const primary = parseStorageKey(storageKeyFile(0, systemRandomness.bytes(32)))
  const records = createOidcRecords({
    ...{ store: createMemoryStore(), clock: createSimulatedClock(), randomness: systemRandomness },
    keys: { primary, older: [] },
  })
  const adapterFor = createAdapters(records)
  const [codes, tokens] = [adapterFor('AuthorizationCode'), adapterFor('AccessToken')]
  await codes.upsert('code', { grantId: 'grant' }, 60)
  await tokens.upsert('token', { grantId: 'grant' }, 60)
  await codes.consume('code')
  assert.ok(await tokens.find('token'))
  const error = await codes.consume('code').catch((thrown: unknown) => thrown)
  assert.instance(error, errors.InvalidGrant)
  assert.is(await tokens.find('token'), undefined)
})

Adapters.run()
