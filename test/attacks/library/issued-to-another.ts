/** One holder discloses what the issuer asks for, and the credential is issued for the secret key of another. @module */
import { draftCommitment } from '../../../crypto/commitment.ts'
import { draftDisclosure } from '../../../crypto/disclosure.ts'
import { commitmentMessage } from '../../../protocol/commitment-message.ts'
import { writeJson } from '../../../protocol/json.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, challengeOf, hidden, isAcceptedText } from '../forge.ts'
import { holderOf, subjectOf } from '../holder.ts'
import { OTHER_SECRET_KEY } from '../obtain.ts'

export const attack: Attack = {
  name: 'issued-to-another',
  gains: 'a credential for a person without the attributes that it needs',
  cites: 'spec/cryptography#7.4',
  on: 'session server',
  async run(service) {
    const { secretKey, ...rest } = holderOf(service)
    const { credential, id, index } = subjectOf(service, { secretKey, ...rest })
    const asked = await ask(service, service.request('issuing', { disclose: [[[id]]] }))
    const [offer] = service.wallet.offers(asked.offered)
    if (offer === undefined) throw new Error('expected an offer')
    const { key, randomBlind } = offer
    const disclosure = draftDisclosure(
      arithmetic,
      { credential, disclosed: [index] },
      hidden(secretKey),
      bytes,
    )
    const commitment = draftCommitment(arithmetic, { key, randomBlind }, hidden(OTHER_SECRET_KEY), bytes)
    const c = challengeOf(asked, [disclosure.contribution, commitment.contribution])
    const body = commitmentMessage({
      n2: 5n,
      disclosures: [disclosure.respond(c)],
      commitments: [commitment.respond(c).proof],
      indices: [[{ cred: 0, attr: index }]],
      proofPJwts: new Map(),
    })
    const isGained = await isAcceptedText(service, asked.session, writeJson(body))
    return isGained ? 'attributes of one holder bring a credential to another' : null
  },
}
