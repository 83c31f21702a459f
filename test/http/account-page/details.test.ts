/** Visible details of the account page: singular and plural, the pages of the log, and the titles of errors. @module */
import * as assert from 'uvu/assert'
import { MAIL_LANGUAGES } from '../../../accounts/mails/words/languages.ts'
import { WORDS } from '../../../http/account-page/words/languages.ts'
import { suite } from '../../suite.ts'
import { useInSessions, withPage } from './harness.ts'

const Details = suite('account page: details')

Details('one day and one try are in the singular, in every language', () => {
  const said = MAIL_LANGUAGES.map(language => {
    const { deletion, event } = WORDS[language]
    return [1, 2].map(many => [
      deletion.days(many).split(' ').slice(-2).join(' '),
      event({ event: 'PIN_CHECK_FAILED', param: many }).split('(')[1],
    ])
  })
  assert.equal(said, [
    [
      ['1 day.', '1 try left)'],
      ['2 days.', '2 tries left)'],
    ],
    [
      ['dag gewist.', 'nog 1 poging)'],
      ['dagen gewist.', 'nog 2 pogingen)'],
    ],
    [
      ['Tag gelöscht.', 'noch 1 Versuch)'],
      ['Tagen gelöscht.', 'noch 2 Versuche)'],
    ],
    [
      ['1 jour.', 'il reste 1 essai)'],
      ['2 jours.', 'il reste 2 essais)'],
    ],
  ])
})

Details('a log of eleven entries is on one page, without links to other pages', () =>
  withPage(async ({ node, confirmed, loggedIn }) => {
    const { id } = await confirmed()
    await useInSessions(node, id, 11)
    const { page } = await loggedIn()
    assert.is(page?.text.match(/<li><span>/g)?.length, 11)
    assert.not.match(page?.text ?? '', /Older|Newer/)
  }),
)

Details('the question before a deletion shows no error until the form is sent without the tick', () =>
  withPage(async ({ confirmed, loggedIn }) => {
    const { id } = await confirmed()
    const browser = await loggedIn()
    await browser.get(`/account/en/accounts/${id}/delete`)
    assert.match(browser.page?.text ?? '', 'I understand that the data')
    assert.not.match(browser.page?.text ?? '', 'aria-invalid')
    await browser.submit('/delete')
    assert.match(browser.page?.text ?? '', 'aria-invalid="true"')
  }),
)

Details('the first page has links to the other languages, also at an address without a final slash', () =>
  withPage(async ({ client }) => {
    const { text } = await client.call('GET', '/account/en')
    assert.match(text, 'href="/account/nl/"')
  }),
)

Details('an unknown page and any other error have different titles, and links to the other languages', () =>
  withPage(async ({ client }) => {
    const missing = await client.call('GET', '/account/en/nothing')
    assert.match(missing.text, 'There is nothing here')
    assert.match(missing.text, 'href="/account/nl/nothing"')
    const wrong = await client.call('DELETE', '/account/en/login')
    assert.match(wrong.text, 'Something went wrong')
    assert.match(wrong.text, 'href="/account/nl/"')
  }),
)
Details('requests for links are limited for each caller, and refused with the time to wait', () =>
  withPage(
    async ({ client, confirmed, loggedIn }) => {
      await confirmed() // one request
      const browser = await loggedIn() // another one
      for (const [language, title] of [
        ['en', 'Too many links'],
        ['nl', 'Te veel links'],
      ]) {
        const body = `address=unknown@home.example`
        const { status, headers, text } = await client.call('POST', `/account/${language}/login`, { body })
        assert.is(status, 429)
        assert.ok(Number(headers['retry-after']) > 1_700)
        assert.match(text, `<h1>${title}</h1>`)
      }
      await browser.get('/account/en/')
      assert.is((await browser.submit('/address', { address: 'other@home.example' })).status, 429)
      const other = { 'X-Forwarded-For': '192.0.2.9' }
      const call = { headers: other, body: 'address=unknown@home.example' }
      assert.is((await client.call('POST', '/account/en/login', call)).status, 200)
    },
    { mails_per_caller: 2 },
  ),
)

Details.run()
