/** Two people answer one session at two servers on one database, at once and one after the other, each for the own secret key. @module */
import { randomBytes } from 'node:crypto'
import { draftCommitment } from '../../../crypto/commitment.ts'
import type { Service } from '../../../libraries/conformance/service.ts'
import { commitmentMessage } from '../../../protocol/commitment-message.ts'
import { writeJson } from '../../../protocol/json.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, type ConnectedSession, hidden, prove } from '../forge.ts'
import { startTwo } from '../keyshares.ts'
import { serviceAt } from '../own-service.ts'

/** With a fault in the store, one of several tries gains something: the two submissions must meet. */
const TRIES = 60

export const attack: Attack = {
  name: 'second-issuance',
  gains: 'two credentials from one session, for two people',
  cites: 'spec/laws#2',
  on: 'own servers',
  async run(own) {
    const { urls } = await startTwo(own, 'server')
    const [first = '', second = ''] = urls
    return serviceAt(first, async service => {
      for (let i = 0; i < TRIES; i++) {
        const asked = await ask(service, service.request('issuing'))
        const { app } = asked.session
        const other = app.replace(first, second)
        const answers = await Promise.all([app, other].map(url => submit(service, asked, url)))
        answers.push(await submit(service, asked, i % 2 === 0 ? app : other))
        const issued = answers.filter(isIssued => isIssued).length
        if (issued > 1) return `${issued} credentials from one session`
      }
      return null
    })
  },
}

/** @returns true if a credential is issued */
async function submit(service: Service, asked: ConnectedSession, url: string): Promise<boolean> {
  const offers = service.wallet.offers(asked.offered)
  const secret = hidden(BigInt(`0x${randomBytes(31).toString('hex')}`))
  const drafts = offers.map(({ key, randomBlind }) =>
    draftCommitment(arithmetic, { key, randomBlind }, secret, bytes),
  )
  const commitments = prove(asked, drafts).map(({ proof }) => proof)
  const message = { n2: 5n, disclosures: [], commitments, indices: [], proofPJwts: new Map() }
  const body = writeJson(commitmentMessage(message))
  const { text } = await service.asApp({ ...asked.session, app: url }, 'POST', '/commitments', body)
  return text.includes('"sigs":[')
}
