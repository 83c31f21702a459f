/** The whole way of a user on the account page, without any script (spec/keyshare-server#13.3, #15). No such flow was recorded. @module */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { newStoreFile } from '../../temporary-folder.ts'
import { ADDRESS, Browser, useInSessions, withPage } from './harness.ts'

const DAY = 24 * 3_600_000
const Way = suite('account page: the way of a user')

Way('registering with an address, confirming it, logging in, reading the page, logging out', () =>
  withPage(async ({ confirmed, loggedIn }) => {
    const { id, userName } = await confirmed()
    const browser = await loggedIn()
    assert.is(browser.page?.status, 200)
    assert.match(browser.page?.text ?? '', '<h1>Your account</h1>')
    assert.match(browser.page?.text ?? '', `<code>${userName}</code>`)
    assert.match(browser.page?.text ?? '', ADDRESS)
    assert.match(browser.page?.text ?? '', 'Nothing has happened yet.')
    assert.is((await browser.get(`/account/nl/accounts/${id}`)).status, 200)
    assert.match(browser.page?.text ?? '', /<html lang="nl">.*<h1>Je account<\/h1>/s)
    const { text } = await browser.submit('/logout')
    assert.match(text, 'Beheer je account')
    assert.is(browser.cookie, '')
    await browser.get(`/account/en/accounts/${id}`)
    assert.match(browser.page?.text ?? '', 'Manage your account')
  }),
)

Way('deleting an account takes two pages and a tick; it is disabled at once, and its owner gets a mail', () =>
  withPage(async ({ node, clock, sent, settled, confirmed, loggedIn, client }) => {
    const { id, userName } = await confirmed()
    const browser = await loggedIn()
    assert.match(browser.page?.text ?? '', `href="/account/en/accounts/${id}/delete"`)
    await browser.get(`/account/en/accounts/${id}/delete`)
    assert.match(browser.page?.text ?? '', 'Delete this account?')
    const unticked = await browser.submit('/delete')
    assert.equal([unticked.status, (await node.accounts.read(id))?.deleteAt], [400, null])
    assert.match(unticked.text, 'Tick the box')
    const deleted = await browser.submit('/delete', { understood: 'yes' })
    assert.equal([deleted.status, browser.cookie], [200, ''])
    assert.match(deleted.text, 'The account has been deleted')
    const row = await node.accounts.read(id)
    assert.equal([row?.record, row?.deleteAt], [null, clock.now() + 30 * DAY])
    await settled()
    assert.equal([sent.at(-1)?.to, sent.at(-1)?.subject], [ADDRESS, 'Your account has been deleted'])
    const headers = { 'X-IRMA-Keyshare-Username': userName }
    const refused = await client.call('POST', '/prove/getCommitments', { headers, body: [] })
    assert.equal([refused.status, Object(refused.json).error], [403, 'USER_NOT_REGISTERED'])
    clock.advance(31 * DAY)
    await settled()
    assert.is(await node.accounts.read(id), null)
  }),
)

Way('a user with several accounts chooses one, and stays logged in when one is deleted', () =>
  withPage(async ({ confirmed, loggedIn }) => {
    const rows = [await confirmed(), await confirmed()]
    const browser = await loggedIn()
    assert.match(browser.page?.text ?? '', 'Choose an account')
    for (const { id, userName } of rows) {
      assert.match(
        browser.page?.text ?? '',
        `<a href="/account/en/accounts/${id}"><code>${userName}</code></a>`,
      )
    }
    const [first] = rows
    await browser.get(`/account/en/accounts/${first?.id}/delete`)
    await browser.submit('/delete', { understood: 'yes' })
    assert.is.not(browser.cookie, '')
    await browser.get('/account/en/')
    assert.match(browser.page?.text ?? '', rows[1]?.userName ?? 'none')
    assert.is((await browser.get(`/account/en/accounts/${first?.id}`)).status, 404)
  }),
)

Way('another address gets a link by mail, also again, and belongs to the account once the link is used', () =>
  withPage(async ({ node, sent, mailedPath, confirmed, loggedIn, client }) => {
    const { id } = await confirmed()
    const browser = await loggedIn()
    for (const _ of [1, 2]) {
      const { status, text } = await browser.submit('/address', { address: 'other@home.example' })
      assert.is(status, 200)
      assert.match(text, 'A link is on its way to other@home.example.')
      const path = await mailedPath()
      assert.is(sent.at(-1)?.to, 'other@home.example')
      const follower = new Browser(client)
      await follower.get(path)
      await follower.submit(path)
    }
    assert.equal((await node.store.accounts.addressesOf(id)).map(({ address }) => address).sort(), [
      'other@home.example',
      ADDRESS,
    ])
  }),
)

Way('the log is shown eleven entries a page, the newest first, in words', () =>
  withPage(async ({ node, confirmed, loggedIn }) => {
    const { id } = await confirmed()
    await useInSessions(node, id, 12)
    const reserved = await node.accounts.turn(id, () => ({
      event: { type: 'app.sentPin', isSignedByDevice: false },
    }))
    const attempt = reserved?.after?.version ?? 0
    await node.accounts.turn(id, () => ({
      event: { type: 'server.refusedPin', attempt, triesLeft: 2 },
      refused: { triesLeft: 2, waitSec: 0 },
    }))
    const browser = await loggedIn()
    const entries = () =>
      [...(browser.page?.text ?? '').matchAll(/<li><span>([^<]*)<\/span>/g)].map(([, words]) => words)
    assert.equal(entries().slice(0, 2), [
      'A wrong PIN was entered (2 tries left)',
      'The wallet app was used in a session',
    ])
    assert.is(entries().length, 11)
    assert.match(browser.page?.text ?? '', `href="/account/en/accounts/${id}?page=2#log">Older`)
    await browser.get(`/account/nl/accounts/${id}?page=2`)
    assert.equal(
      entries(),
      Array.from({ length: 2 }, () => 'De wallet-app is in een sessie gebruikt'),
    )
    assert.match(browser.page?.text ?? '', 'Nieuwer')
    assert.not.match(browser.page?.text ?? '', 'Ouder')
  }),
)

Way('the page shows the announced deletion of an account until its owner visits the account', () =>
  withPage(async ({ node, clock, confirmed, loggedIn }) => {
    const { id } = await confirmed()
    const browser = await loggedIn()
    const deleteAt = clock.now() + DAY
    await node.accounts.turn(id, () => ({ event: { type: 'server.warned', deleteAt } }))
    await browser.get(`/account/en/accounts/${id}`)
    assert.match(
      browser.page?.text ?? '',
      'This account will be deleted on 2 January 2030, unless it is used before that.',
    )
    await loggedIn()
    assert.is((await node.accounts.read(id))?.deleteAt, null)
  }),
)

Way('a visit continues at another process with the same keys and store', async () => {
  const store = { store: `sqlite:${newStoreFile()}` }
  let cookie = ''
  let userName = ''
  await withPage(async ({ confirmed, loggedIn }) => {
    userName = (await confirmed()).userName
    cookie = (await loggedIn()).cookie
  }, store)
  await withPage(async ({ client }) => {
    const browser = new Browser(client)
    browser.cookie = cookie
    await browser.get('/account/en/')
    assert.match(browser.page?.text ?? '', `<code>${userName}</code>`)
  }, store)
})

Way.run()
