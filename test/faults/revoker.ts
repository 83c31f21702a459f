/** An authority in its own process that issues and revokes as fast as it can. It prints each revocation that it has answered, until it is killed.
 *  @module */
import { createNode } from '../../server/create-node.ts'
import { systemWorld } from '../../server/world.ts'
import { AUTHORITY, BADGE, credential } from '../actors/authority.ts'
import { FAILURES, settingsOfTest } from '../server/node-of-test.ts'

const nowSec = Math.floor(Date.now() / 1_000)
const own = { store: `sqlite:${process.argv[2]}`, threads: 1, revocation: new Map([[BADGE, AUTHORITY]]) }
const { revocation } = await createNode(settingsOfTest(own), systemWorld(FAILURES))
const start = process.argv[3] ?? ''
for (let i = 0; process.connected; i++) {
  const revocationKey = `${start}-${i}`
  const times = { issuedAtSec: nowSec, validUntilSec: nowSec + 10_000 }
  await Promise.all([0, 1].map(() => revocation.issue(credential(revocationKey, times))))
  process.send?.({ issued: revocationKey })
  await revocation.revoke(BADGE, revocationKey, null)
  process.send?.({ revoked: revocationKey })
}
