/** Downloads from web servers: the limits of time, bytes and redirects. */
import * as assert from 'uvu/assert'
import { createDownload } from '../../ports/download.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { suite } from '../suite.ts'

const URL_OF = 'https://schemes.example/a'
const Downloads = suite('downloads')

/** @param answers by address
 *  @returns the outcome, and the called addresses */
async function download(
  answers: Readonly<Record<string, () => Response>>,
): Promise<readonly [string, readonly string[]]> {
  const called: string[] = []
  const fetch = async (url: string | URL | Request): Promise<Response> => {
    called.push(String(url))
    return answers[String(url)]?.() ?? new Response('', { status: 404 })
  }
  const got = await createDownload({ fetch, clock: createSimulatedClock() })(URL_OF, 5).then(
    String,
    error => error.message,
  )
  return [got, called]
}
const to = (location: string) => (): Response => new Response(null, { status: 302, headers: { location } })

Downloads('follow redirects to a path or to an address of http or https', async () => {
  const answers = { [URL_OF]: to('/b'), 'https://schemes.example/b': () => new Response('file') }
  assert.is((await download(answers))[0], 'file')
  assert.is(
    (await download({ [URL_OF]: to('file:///etc/passwd') }))[0],
    `${URL_OF}: expected a redirect to https, got another`,
  )
})

Downloads('never go from https to http, not even if http redirects back to https', async () => {
  const [got, called] = await download({
    [URL_OF]: to('http://else.example/'),
    'http://else.example/': to(URL_OF),
  })
  assert.equal([got, called], [`${URL_OF}: expected a redirect to https, got another`, [URL_OF]])
})

Downloads('follow five redirects, and not a sixth', async () => {
  const [got, called] = await download({ [URL_OF]: to(URL_OF) })
  assert.equal([got, called.length], [`${URL_OF}: expected at most 5 redirects, got more`, 6])
})

Downloads('fail at the first byte beyond the limit, and at any status but 200', async () => {
  assert.is((await download({ [URL_OF]: () => new Response('12345') }))[0], '12345')
  assert.is(
    (await download({ [URL_OF]: () => new Response('123456') }))[0],
    `${URL_OF}: expected at most 5 bytes`,
  )
  assert.is((await download({}))[0], `${URL_OF}: expected status 200, got 404`)
})

/** A server that answers at once, and then sends very slowly. */
function dripping() {
  const clock = createSimulatedClock()
  const stop = new AbortController()
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const body = new ReadableStream({
      start: drip => init?.signal?.addEventListener('abort', () => drip.error(new Error('aborted'))),
    })
    return new Response(body)
  }
  const got = createDownload({ fetch, clock }, stop.signal)(URL_OF, 5).then(String, error =>
    String(error.message),
  )
  return { clock, stop, got }
}
const started = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

Downloads('fail after 20 s, even if bytes still arrive', async () => {
  const { clock, got } = dripping()
  await started()
  clock.advance(19_999)
  assert.is(await Promise.race([got, started()]), undefined)
  clock.advance(1)
  assert.is(await got, `${URL_OF}: expected the file within 20000 ms, got no end of it`)
})

Downloads('end when the download of all files is aborted', async () => {
  const { stop, got } = dripping()
  await started()
  stop.abort()
  assert.match(
    await got,
    /expected the whole file, got a part or nothing: the download of all files was aborted$/,
  )
})
Downloads.run()
