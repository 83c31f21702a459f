/** A proof with exponents as long as a message may be: each would keep a core busy. @module */
import { draftDisclosure } from '../../../crypto/disclosure.ts'
import type { Service } from '../../../libraries/conformance/service.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, hidden, isAccepted, prove } from '../forge.ts'
import { holderOf, subjectOf } from '../holder.ts'

/** In Base64 it fits into the characters of one proof. */
const LONG = 2n ** 350_000n
const TRIES = 5
/** The shortest of the long ones against the shortest of the right ones. */
const MOST_TIMES = 8

export const attack: Attack = {
  name: 'long-exponent',
  gains: 'the cores of the server, with few calls',
  cites: 'spec/cryptography#16',
  on: 'session server',
  async run(service) {
    const right: number[] = []
    const long: number[] = []
    for (let i = 0; i < TRIES; i++) {
      right.push(await durationOf(service, 0n))
      long.push(await durationOf(service, LONG))
    }
    const times = Math.min(...long) / Math.min(...right)
    return times > MOST_TIMES ? `one call works ${Math.round(times)} times as long as a right one` : null
  },
}

/** Milliseconds for a submission whose v has this much more. */
async function durationOf(service: Service, more: bigint): Promise<number> {
  const { secretKey, ...rest } = holderOf(service)
  const { credential, index } = subjectOf(service, { secretKey, ...rest })
  const asked = await ask(service, service.disclosure())
  const choice = { credential, disclosed: [index] }
  const [proof] = prove(asked, [draftDisclosure(arithmetic, choice, hidden(secretKey), bytes)])
  if (proof === undefined) throw new Error('expected a proof')
  const began = performance.now()
  const sent = { ...proof, vResponse: proof.vResponse + more }
  await isAccepted(service, asked, [sent], [[{ cred: 0, attr: index }]])
  return performance.now() - began
}
