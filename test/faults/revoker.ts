/** An authority in a process of its own that issues and revokes as fast as it can, and tells each revocation that it has answered, until it is killed.
 *  @module */
import { randomBytes } from 'node:crypto'
import { createRevocation } from '../../actors/revocation/create-revocation.ts'
import { createProofPool } from '../../actors/workers/proof-pool.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { openStore } from '../../stores/open.ts'
import { AUTHORITY, BADGE, credential } from '../actors/authority.ts'
import { DEMO_SCHEMES } from '../project.ts'

const store = await openStore(`sqlite:${process.argv[2]}`, 'boot A')
const nothing = async (): Promise<never> => Promise.reject(new Error('an authority asks nobody'))
const nowSec = Math.floor(Date.now() / 1_000)
const revocation = await createRevocation({
  store,
  schemes: await loadSchemes(DEMO_SCHEMES),
  clock: createSystemClock(),
  random: { bytes: randomBytes },
  pool: createProofPool({ arithmetic: 'auto', threads: 1 }),
  outgoing: { getBytes: nothing, postBytes: nothing },
  listenTo: async function* () {},
  settings: new Map([[BADGE, AUTHORITY]]),
  report: (_, error) => console.log(error),
})
const start = process.argv[3] ?? ''
for (let i = 0; process.connected; i++) {
  const revocationKey = `${start}-${i}`
  const times = { issuedAtSec: nowSec, validUntilSec: nowSec + 10_000 }
  await Promise.all([0, 1].map(() => revocation.issue(credential(revocationKey, times))))
  process.send?.({ issued: revocationKey })
  await revocation.revoke(BADGE, revocationKey, null)
  process.send?.({ revoked: revocationKey })
}
