/** The account page if an account is deleted between two reads of one call, or if the server temporarily cannot do the work. @module */
import * as assert from 'uvu/assert'
import { UnavailableError } from '../../../protocol/errors.ts'
import { deferred } from '../../actors/node.ts'
import type { NodeOfTest } from '../../server/keyshare/node.ts'
import { suite } from '../../suite.ts'
import { withPage } from './harness.ts'

const Meanwhile = suite('account page: changes during a call')

/** Makes the change before the next turn of an account. */
function beforeTurn({ accounts }: NodeOfTest, change: () => unknown): void {
  const turn = accounts.turn.bind(accounts)
  accounts.turn = async (id, decide) => {
    accounts.turn = turn
    await change()
    return turn(id, decide)
  }
}

for (const action of ['address', 'delete'])
  Meanwhile(`an account that is deleted during the call is not found: ${action}`, () =>
    withPage(async ({ node, clock, confirmed, loggedIn }) => {
      const { id } = await confirmed()
      const browser = await loggedIn()
      if (action === 'delete') await browser.get(`/account/en/accounts/${id}/delete`)
      const { accounts } = node
      const event = { type: 'owner.disabled', deleteAt: clock.now() + 1 } as const
      beforeTurn(node, () => accounts.turn(id, () => ({ event })))
      const answer = await browser.submit(`/${action}`, { address: 'b@home.example', understood: 'yes' })
      assert.equal([answer.status, /There is nothing here/.test(answer.text)], [404, true])
    }),
  )

Meanwhile('an address that cannot be stored now is answered with 503, not as an invalid address', () =>
  withPage(async ({ node, confirmed, loggedIn }) => {
    await confirmed()
    const browser = await loggedIn()
    beforeTurn(node, () => {
      throw new UnavailableError('busy')
    })
    const { status, text } = await browser.submit('/address', { address: 'b@home.example' })
    assert.equal([status, /Please try again later/.test(text)], [503, true])
  }),
)

Meanwhile('a hundred requests for links may wait at once; a further one is asked to try again later', () =>
  withPage(async ({ node, client, sent }) => {
    const isAnswered = deferred()
    const { accounts } = node.store
    accounts.countLinks = () => isAnswered.promise.then(() => 1)
    const ask = async (name: string) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      return client.call('POST', '/account/en/login', { headers, body: `address=${name}%40home.example` })
    }
    for (let i = 0; i < 100; i++) assert.is((await ask(`user${i}`)).status, 200)
    const { status, text } = await ask('another')
    isAnswered.resolve()
    assert.equal([status, /Please try again later/.test(text), /<form/.test(text)], [503, true, false])
    assert.equal(sent, [])
  }),
)
Meanwhile.run()
