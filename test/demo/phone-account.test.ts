/** The account of the demo's phone, over HTTP: the answers about a PIN (spec/keyshare-server#6.4, #9), and the stored data for the next start. @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { startDemo } from '../../demo/demo.ts'
import type { AccountView } from '../../demo/keyshare/account.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { OPTIONS, pageOf, pinOf, startTestDemo } from './start.ts'

const DONE = { isDone: true, triesLeft: null, blockedSec: null, isGone: false, reason: '' }
const userName = async () =>
  (await page.call<{ readonly userName: string | null }>('/demo/phone/account')).body.userName
const demo = await startTestDemo()
const page = pageOf(demo)
const pin = pinOf(page)
const post = async (path: string, body: object) =>
  page.call<AccountView>(`/demo/phone/account/${path}`, 'POST', body)

const Account = suite('demo: the account of the phone')

Account('a PIN that is not five digits is refused', async () => {
  for (const wrong of ['1234', '123456', 'abcde', ''])
    assert.is((await post('set-up', { pin: wrong, email: '' })).status, 400)
  assert.is(await userName(), null)
})

Account('the first PIN brings a user name and a card, once', async () => {
  assert.equal(await pin.setUp('12345'), DONE)
  const [card] = await page.cards()
  assert.is(await userName(), card?.attributes[0]?.value)
  const again = await pin.setUp('12345')
  assert.match(again.reason, /has an account of svc-keyshare already/)
})

Account('the phone asks for the PIN in each session, and continues after the right PIN', async () => {
  const { told } = await pin.logIn('00000', '12345')
  assert.equal([told.isAccepted, told.seen.map(({ name }) => name)], [true, ['User name']])
  assert.match((await pin.logIn('12345')).told.text, /Your PIN stayed on your phone/)
})

Account('a PIN is accepted only while the phone asks for it', async () => {
  const { phone } = await page.ask('pin')
  assert.is((await page.call(`/demo/phone/${phone}/pin`, 'POST', { pin: '12345' })).status, 403)
  await page.refuse(phone)
})

Account(
  'answers to wrong PINs have the attempts that are left, then the wait, during which no PIN is tried',
  async () => {
    const tried = async (typed: string) => (await post('unlock', { pin: typed })).body
    assert.equal(await tried('00000'), { ...DONE, isDone: false, triesLeft: 2 })
    assert.equal(await tried('12345'), DONE)
    const change = { oldPin: '99999', newPin: '54321' }
    assert.equal((await post('change-pin', change)).body, { ...DONE, isDone: false, triesLeft: 2 })
    assert.equal((await post('change-pin', { ...change, oldPin: '12345' })).body, DONE)
    for (const left of [2, 1]) assert.is((await tried('12345')).triesLeft, left)
    assert.is((await tried('12345')).blockedSec, 60)
    assert.is((await tried('54321')).blockedSec, 60)
  },
)

Account('an emptied phone has no account, and may get another', async () => {
  await page.call('/demo/tour/restart', 'POST')
  assert.is(await userName(), null)
  assert.equal(await pin.setUp('11111'), DONE)
})

Account.after(() => demo.close())
Account.run()

const Kept = suite('demo: an account that stays')

Kept('a phone that is kept has its account the next time, at another address', async () => {
  const keepIn = join(temporaryFolder(), 'kept')
  const first = await startDemo({ ...OPTIONS, keepIn })
  assert.equal(await pinOf(pageOf(first)).setUp('12345'), DONE)
  await first.close()
  const second = await startDemo({ ...OPTIONS, keepIn })
  try {
    assert.ok((await pinOf(pageOf(second)).logIn('12345')).told.isAccepted)
  } finally {
    await second.close()
  }
})

Kept.run()
