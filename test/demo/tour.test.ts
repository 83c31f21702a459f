/** The steps of the tour, over HTTP: the acts of the phone, and the view of the web site in each step. The guide of the tour knows the cards of the phone and the steps that are
 *  done. @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { startDemo } from '../../demo/demo.ts'
import { STEPS } from '../../demo/steps.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { signInAtBoth } from './sign-in-at-both.ts'
import { OPTIONS, pageOf, pinOf, startTestDemo } from './start.ts'

/** One demo for all tests of this file, in their order; the last suite closes it. */
const demo = await startTestDemo()
const page = pageOf(demo)
const pin = pinOf(page)
const names = async () => (await page.cards()).map(({ name }) => name)
const done = async () => (await page.tour()).steps.filter(({ isDone }) => isDone).map(({ step }) => step)

const Tour = suite('demo: the steps of the tour')

Tour(
  'an empty phone can begin, and every other step says which cards it lacks and which step gives them',
  async () => {
    assert.equal(await page.cards(), [])
    const { steps } = await page.tour()
    assert.equal(
      steps.map(({ step, lacks }) => [step, lacks?.cards.join(' or '), lacks?.givenBy]),
      [
        ['cards', undefined, undefined],
        ['login', 'Demo student card', 'cards'],
        ['either', 'Demo student card or Demo identity card', 'cards'],
        ['contract', 'Demo identity card', 'cards'],
        ['library', 'Demo student card', 'cards'],
        ['chain', 'Demo student card', 'cards'],
        ['mobile', 'Demo identity card', 'cards'],
        ['revoked', undefined, undefined],
        ['twice', 'Demo identity card', 'cards'],
        ['pin', 'Demo login', 'phone'],
        ['sites', 'Demo identity card', 'cards'],
      ],
    )
  },
)

Tour('a phone without the card cannot answer, and the site is not told why the session ended', async () => {
  const { id, phone, question } = await page.ask('login')
  assert.equal([question.canAnswer, question.items[0]?.missing], [false, ['Demo student card']])
  await page.refuse(phone)
  await page.phoneShows(phone, 'refused')
  assert.is((await page.result(id)).title, 'Stopped')
})

Tour('two cards are received, and the site sees nothing of the phone', async () => {
  const { done: end, told } = await page.complete('cards', [])
  const received = ['Demo identity card', 'Demo student card']
  assert.equal([end.received, end.shared], [received, []])
  assert.equal([told.isAccepted, told.seen, told.issued.map(({ card }) => card)], [true, [], received])
  assert.equal(await names(), received)
  assert.equal(await done(), ['cards'])
  const lacking = (await page.tour()).steps.filter(({ lacks }) => lacks !== null)
  assert.equal(
    lacking.map(({ step }) => step),
    ['pin'],
  )
})

Tour('a contract is signed with a name and a time', async () => {
  const fromSec = Math.floor(Date.now() / 1000)
  const { id, phone, question } = await page.ask('contract')
  assert.equal([question.kind, question.message?.startsWith('I rent room 12')], ['signing', true])
  await page.answer(phone, [0])
  assert.ok((await page.phoneShows(phone, 'done')).hasSigned)
  const { isAccepted, text, signed, hidden } = await page.result(id)
  assert.ok(isAccepted)
  assert.match(text, 'By A.M. de Vries.')
  assert.is(signed?.message, question.message)
  assert.ok(signed?.atSec && signed.atSec >= fromSec && signed.atSec <= Date.now() / 1000)
  assert.equal(hidden, [{ card: 'Demo identity card', names: ['Over 18', 'Nationality', 'Document number'] }])
})

Tour('a card is received for showing another', async () => {
  const { done: end, told } = await page.complete('library', [0])
  assert.equal([end.received, end.shared.map(({ value }) => value)], [['Demo note'], ['City University']])
  assert.equal([told.seen.length, told.issued[0]?.attributes[0]?.value], [1, 'Library card 2045-118'])
  assert.match(told.text, 'On your phone it is a Demo note') // the name on the phone
  assert.equal((await names()).length, 3)
})

Tour('a chain asks twice and needs one scan; the number of the ticket stays on the phone', async () => {
  const { id, phone } = await page.ask('chain')
  await page.answer(phone, [0])
  const { offers } = await page.phoneShows(phone, 'consent')
  assert.equal(offers[0]?.attributes, [
    { name: 'Draw', value: 'Museum Night raffle' },
    { name: 'Number', value: null },
  ])
  await page.answer(phone, [0])
  const end = await page.phoneShows(phone, 'done')
  assert.equal([end.received, end.shared], [['Demo lottery ticket'], [{ name: 'Level', value: 'master' }]])
  const { isAccepted, seen, issued, results } = await page.result(id)
  assert.equal([isAccepted, seen.length, issued[0]?.attributes.length], [true, 1, 1])
  assert.equal(
    results.map(result => Object.entries(result).slice(0, 3)),
    ['disclosing', 'issuing'].map(type => Object.entries({ status: 'DONE', type, proofStatus: 'VALID' })),
  )
  const ticket = (await page.cards()).find(({ name }) => name === 'Demo lottery ticket')
  const number = ticket?.attributes[1]?.value ?? ''
  assert.ok(number.length > 20)
  assert.not(JSON.stringify([seen, issued, results]).includes(number))
})

Tour('a chain that is refused half way has shown what it has shown, and gives no ticket', async () => {
  const { id, phone } = await page.ask('chain')
  await page.answer(phone, [0])
  assert.is((await page.phoneShows(phone, 'consent')).kind, 'issuing')
  await page.refuse(phone)
  assert.ok((await page.phoneShows(phone, 'refused')).hasDone)
  const { title, seen, issued } = await page.result(id)
  assert.equal([title, seen[0]?.value, issued], ['Stopped half way', 'master', []])
})

Tour('on the phone itself the wallet opens by a link and leads back to the site', async () => {
  const { id, link } = await page.start('mobile')
  const phone = await page.open(link)
  await page.phoneShows(phone, 'consent')
  await page.answer(phone, [0])
  const { returnUrl } = await page.phoneShows(phone, 'done')
  assert.is(returnUrl, `${demo.address}?back=${id}`)
  assert.is((await fetch(returnUrl ?? '')).status, 200)
  const { step, title } = await page.result(id)
  assert.equal([step, title], ['mobile', 'Thank you, you are over 18'])
})

Tour('a permit is received and shown in one scan, and the site sees that it is not revoked', async () => {
  const { id, phone, question } = await page.ask('revoked')
  assert.equal([question.kind, question.offers[0]?.isRevocable], ['issuing', true])
  await page.answer(phone, [])
  const { items } = await page.phoneShows(phone, 'consent')
  assert.equal(
    items[0]?.candidates.map(({ cards }) => cards[0]?.attributes),
    [[{ name: 'Kind', value: 'Market stall' }]],
  )
  await page.answer(phone, [0])
  assert.equal((await page.phoneShows(phone, 'done')).received, ['Demo permit'])
  const { isAccepted, canRevoke, seen, hidden } = await page.result(id)
  assert.equal([isAccepted, canRevoke, seen[0]?.isNotRevoked], [true, true, true])
  assert.equal(hidden, [], 'the site has written the number of the permit itself')
  assert.not((await done()).includes('revoked'))
})

Tour('when the permit was revoked, the phone says so and cannot answer', async () => {
  const { id, phone } = await page.ask('revoked')
  await page.answer(phone, [])
  await page.phoneShows(phone, 'consent')
  await page.refuse(phone)
  assert.is((await page.revoke(id)).status, 200)
  const { items, canAnswer } = (await page.again('revoked', id)).question
  assert.equal([canAnswer, items[0]?.candidates], [false, []])
  assert.equal(items[0]?.unprovable, ['Your Demo permit has been revoked.'])
})

Tour(
  'one click revokes all permits of the phone, so that none stays valid when the step was taken twice',
  async () => {
    const ids: string[] = []
    for (const _ of ['first', 'second']) {
      const { id, phone } = await page.ask('revoked')
      await page.answer(phone, [])
      const { items } = await page.phoneShows(phone, 'consent')
      assert.ok(items[0]?.candidates.length)
      await page.answer(phone, [0])
      await page.phoneShows(phone, 'done')
      ids.push(id)
    }
    const [first = '', second = ''] = ids
    const clicks = [second, second, first].map(page.revoke)
    assert.equal(
      (await Promise.all(clicks)).map(({ status }) => status),
      [200, 200, 200],
    )
    assert.is((await page.revoke(first)).status, 200, 'it is revoked already')
    const { id, phone, question } = await page.again('revoked', second)
    assert.equal([question.canAnswer, question.items[0]?.candidates], [false, []])
    assert.not((await done()).includes('revoked'))
    await page.refuse(phone)
    await page.phoneShows(phone, 'refused')
    const { title, seen } = await page.result(id)
    assert.equal([title, seen], ['No stall without a permit that counts', []])
    assert.ok((await done()).includes('revoked'))
    assert.equal(
      (await page.cards()).flatMap(({ name, isRevoked }) => (name === 'Demo permit' ? [isRevoked] : [])),
      [true, true, true, true],
    )
  },
)

Tour('a cancel by the web site has its own words, and is no refusal of a revoked card', async () => {
  const plain = await page.ask('login')
  await page.cancel(plain)
  assert.is((await page.result(plain.id)).title, 'Stopped on this web site')

  const half = await page.ask('chain')
  await page.answer(half.phone, [0])
  await page.phoneShows(half.phone, 'consent')
  await page.cancelled(half.id)
  await page.refuse(half.phone)
  await page.phoneShows(half.phone, 'refused')
  assert.is((await page.result(half.id)).title, 'Stopped half way, on this web site')

  const { id, phone } = await page.ask('revoked')
  await page.answer(phone, [])
  await page.phoneShows(phone, 'consent')
  await page.refuse(phone)
  await page.revoke(id)
  const again = await page.again('revoked', id)
  await page.cancel(again)
  const { title, isDone } = await page.result(again.id)
  assert.equal([title, isDone], ['Stopped on this web site', false])
  assert.is((await page.cancelled('nobody')).status, 404)
})

Tour('two logins show the same, and no number of their proofs is alike', async () => {
  const first = await page.complete('twice', [0])
  const { isAccepted, canRepeat, isDone, comparison: none } = first.told
  assert.equal([isAccepted, canRepeat, isDone, none], [true, true, false, null])
  assert.not((await done()).includes('twice'))
  const { id, phone } = await page.again('twice', first.id)
  await page.answer(phone, [0])
  await page.phoneShows(phone, 'done')
  const { title, canRepeat: isOffered, seen, comparison } = await page.result(id)
  assert.equal([title, isOffered], ['You are logged in again', false])
  assert.equal(seen, first.told.seen)
  assert.equal([comparison?.isSameShown, comparison?.alike], [true, 0])
  // secret key and four other attributes, besides A, c and two responses for the signature
  assert.equal(
    comparison?.logins.map(({ numbers }) => new Set(numbers).size),
    [9, 9],
  )
  assert.ok((await done()).includes('twice'))
})

Tour('when every step is done the guide says so, and begins again with an empty phone', async () => {
  await page.complete('login', [0])
  await page.complete('either', [0, 0])
  await pin.setUp('12345')
  await pin.logIn('12345')
  await signInAtBoth(page)
  assert.equal(await done(), [...STEPS])
  const { phone } = await page.ask('login')
  assert.is((await page.call('/demo/tour/restart', 'POST')).status, 204)
  assert.equal([await page.cards(), await done()], [[], []])
  assert.is((await page.call(`/demo/phone/${phone}?after=0`)).status, 404)
})

Tour.after(() => demo.close())
Tour.run()

const Kept = suite('demo: what stays')

Kept('a phone that is kept has its cards the next time, and is in use once', async () => {
  const keepIn = join(temporaryFolder(), 'kept')
  const first = await startDemo({ ...OPTIONS, keepIn })
  await pageOf(first).complete('cards', [])
  await first.close()
  assert.equal(readdirSync(keepIn), ['keyshare', 'phone'])
  const second = await startDemo({ ...OPTIONS, keepIn })
  assert.is((await pageOf(second).cards()).length, 2)
  try {
    await startDemo({ ...OPTIONS, keepIn })
    assert.unreachable()
  } catch (error) {
    assert.match(String(error), 'WalletError')
  } finally {
    await second.close()
  }
})

Kept.run()

const Stamps = suite('demo: its timestamps')

Stamps('two demos run at once, each with a timestamp server, and each gives its address', async () => {
  const first = await startTestDemo()
  const { stamps } = await pageOf(first).tour()
  assert.is(stamps.wanted, 'http://127.0.0.1:8190/')
  assert.equal([stamps.isAsNamed, stamps.address === stamps.wanted], [false, false])
  const timestampPort = Number(new URL(stamps.address).port)
  const second = await startDemo({ ...OPTIONS, timestampPort })
  const other = (await pageOf(second).tour()).stamps
  assert.is.not(other.address, stamps.address)
  await pageOf(second).complete('cards', [])
  assert.ok((await pageOf(second).complete('contract', [0])).told.signed?.atSec)
  await first.close()
  await second.close()
})

Stamps.run()
