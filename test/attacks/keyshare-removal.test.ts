/** The removal of a keyshare server during issuance (spec/decisions#keyshare_v1). Both servers allow both versions of the keyshare protocol. */
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../ports/clock.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { startRealKeyshare } from '../wallet/keyshare/real-keyshare.ts'
import { startRealServer } from '../wallet/real-server.ts'
import { removeKeyshare, WAYS } from './keyshare-removal.ts'

const clock = createSystemClock()
const sessions = await startRealServer(PROFILES.svc)
const facts = { profile: 'svc', folder: DEMO_SCHEMES, scheme: 'svc-keyshare', clock } as const
const keyshare = await startRealKeyshare(facts)

const create = async (type: 'issuing' | 'disclosing', body: object) => {
  const { pointer, result } = await sessions.create(type, body)
  return { pointer, status: async () => (await result()).proofStatus }
}

const Removal = suite('the removal of a keyshare server, where keyshare_v1 is warn')
Removal.after(async () => {
  await sessions.close()
  await keyshare.close()
})

for (const [name, way] of Object.entries(WAYS)) {
  const isHeld = /^the second version|earlier session/.test(name)
  Removal(`${name}: ${isHeld ? 'it fails' : 'it succeeds'}`, async () => {
    const reason = await removeKeyshare(way, { keyshare: keyshare.url, create })
    if (isHeld) assert.match(reason ?? 'it succeeded', /INVALID/)
    else assert.is(reason, null)
  })
}

Removal.run()
