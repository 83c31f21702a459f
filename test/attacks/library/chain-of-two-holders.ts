/** One holder answers the first session of a chain. Another one answers the next, and leaves out what was disclosed before. @module */
import { draftDisclosure } from '../../../crypto/disclosure.ts'
import { NotTriedError } from '../../../libraries/conformance/expect.ts'
import { at } from '../../../libraries/conformance/json.ts'
import { disclosureMessage } from '../../../protocol/disclosure-message.ts'
import { writeJson } from '../../../protocol/json.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, type ConnectedSession, connected, hidden, prove } from '../forge.ts'
import { holderOf, subjectOf } from '../holder.ts'
import { OTHER_SECRET_KEY, obtain } from '../obtain.ts'

export const attack: Attack = {
  name: 'chain-of-two-holders',
  gains: 'a chain of sessions that two people answered as one',
  cites: 'spec/decisions#chain',
  on: 'session server',
  async run(service) {
    const { secretKey, ...rest } = holderOf(service)
    const { credential, index } = subjectOf(service, { secretKey, ...rest })
    const other = await obtain(service, OTHER_SECRET_KEY)
    const { first } = service.offered()
    const next = service.others?.expect(service.disclosure({ disclose: [[[first.id]]] }))
    if (next === undefined) throw new NotTriedError('the server cannot call this process')
    const url = next.url
    const asked = await ask(service, { request: service.disclosure(), nextSession: { url } })
    const mine = draftDisclosure(arithmetic, { credential, disclosed: [index] }, hidden(secretKey), bytes)
    const theirs = draftDisclosure(
      arithmetic,
      { credential: other, disclosed: [2] },
      hidden(OTHER_SECRET_KEY),
      bytes,
    )
    const answer = (of: ConnectedSession, draft: typeof mine, attr: number) => {
      const body = writeJson(disclosureMessage(prove(of, [draft]), [[{ cred: 0, attr }]]))
      return service.asApp(of.session, 'POST', '/proofs', body)
    }
    const { json } = await answer(asked, mine, index)
    const app = at(json, 'nextSession', 'u')
    if (typeof app !== 'string') throw new Error('expected a next session')
    const following = await connected(service, { ...asked.session, app })
    const told = await answer(following, theirs, 2)
    return at(told.json, 'proofStatus') === 'VALID' ? 'another holder answered the next session' : null
  },
}
