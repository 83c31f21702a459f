/** The properties of every answer of the account page: its headers, its language, its cookie and its log line. @module */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { ADDRESS, type PageOfTest, withPage } from './harness.ts'

const Answers = suite('account page: every answer')

async function answersOf({ client, loggedIn, confirmed }: PageOfTest) {
  const { id } = await confirmed()
  const browser = await loggedIn()
  const paths = [
    '',
    'login',
    'login/xxxxxxxxxxxxxxxxxxxx',
    `accounts/${id}`,
    `accounts/${id}/delete`,
    'accounts/x',
    'nothing',
  ]
  const answers = []
  for (const path of paths)
    answers.push(await client.call('GET', `/account/en/${path}`, { headers: { Cookie: browser.cookie } }))
  return [
    ...answers,
    await client.call('DELETE', '/account/en/login'),
    await client.call('GET', '/account/sv/login'),
  ]
}

Answers('allows no script and no content of other sites, is not cached, and sends no referrer', () =>
  withPage(async page => {
    const answers = await answersOf(page)
    assert.equal(
      answers.map(({ status }) => status),
      [303, 200, 403, 200, 200, 404, 404, 405, 404],
    )
    for (const { headers, text } of answers) {
      const policy = headers['content-security-policy'] ?? ''
      assert.is(
        policy,
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      assert.equal(
        [headers['cache-control'], headers['referrer-policy'], headers['x-content-type-options']],
        ['no-store', 'same-origin', 'nosniff'],
      )
      assert.not.match(text, /<script|https?:|style=| on\w+=/)
    }
  }),
)

Answers('no line of the log contains a token, an address or a user name', () =>
  withPage(async page => {
    const { userName } = await page.confirmed()
    const browser = await page.loggedIn()
    await answersOf(page)
    const lines = JSON.stringify(page.logged)
    assert.match(lines, '/account/en/login/:token')
    for (const mail of page.sent) {
      const [, token = ''] = /\/(\w{20})$/m.exec(mail.text) ?? []
      for (const secret of [token, mail.to, userName, browser.cookie]) assert.not.match(lines, secret)
    }
    assert.ok(page.sent.length > 2)
  }),
)

Answers(
  'the cookie is only for the page, hidden from scripts and other sites, and Secure with an https address',
  async () => {
    for (const url of ['https://keyshare.example/', 'https://keyshare.example/below']) {
      await withPage(
        async ({ client, confirmed, sent, settled }) => {
          await confirmed().catch(() => {}) // fails if the server is below a path, because the link then has another path
          const path = `/account/en/confirm/${/\/(\w{20})$/m.exec(sent[0]?.text ?? '')?.[1]}`
          await client.call('POST', path)
          await client.call('POST', '/account/en/login', { body: `address=${ADDRESS}` })
          await settled()
          const [, token] = /\/(\w{20})$/m.exec(sent.at(-1)?.text ?? '') ?? []
          const { headers } = await client.call('POST', `/account/en/login/${token}`)
          const root = new URL(url).pathname.replace(/\/$/, '')
          assert.match(
            headers['set-cookie']?.[0] ?? '',
            new RegExp(
              `^account=[\\w-]+; Path=${root}/account; Max-Age=900; HttpOnly; SameSite=Strict; Secure$`,
            ),
          )
          assert.is(headers.location, `${root}/account/en/`)
        },
        { url },
      )
    }
  },
)

Answers('the page has the language of its path, or else the one that the browser prefers', () =>
  withPage(async ({ client }) => {
    for (const [accepted, path] of [
      ['nl-NL,nl;q=0.9,en;q=0.8', 'nl'],
      ['de-CH', 'de'],
      ['fr', 'fr'],
      ['sv', 'en'],
      ['', 'en'],
    ] as const)
      for (const asked of ['/account', '/account/']) {
        const { status, headers } = await client.call('GET', asked, {
          headers: { 'Accept-Language': accepted },
        })
        assert.equal([status, headers.location], [302, `/account/${path}/`])
      }
    const { text } = await client.call('GET', '/account/nl/login?x=1')
    assert.match(text, '<a href="/account/en/login?x=1" hreflang="en" lang="en">English</a>')
    assert.match(text, '<a href="/account/de/login?x=1" hreflang="de" lang="de">Deutsch</a>')
    assert.match(text, '<a href="/account/fr/login?x=1" hreflang="fr" lang="fr">Français</a>')
    assert.not.match(text, 'hreflang="nl"')
  }),
)

Answers('without a mail server there is no page, and the address of a registration is ignored', () =>
  withPage(
    async ({ client, node, sent, settled }) => {
      assert.is((await client.call('GET', '/account/en/login')).status, 404)
      assert.is(
        (await client.call('POST', '/client/register', { body: { pin: 'pin', email: ADDRESS } })).status,
        200,
      )
      await settled()
      assert.equal([sent, await node.store.deliveries.list()], [[], []])
    },
    { email_server: '' },
  ),
)

Answers.run()
