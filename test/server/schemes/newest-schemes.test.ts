/** A request for an attribute that only a newer version of a scheme has (spec/schemes-and-cli#11.6). It is tried on one node, and on two nodes with one store and
 *  separate folders of schemes. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { answerOf } from '../../actors/node.ts'
import {
  appHeaders,
  disclosure,
  type Parts,
  type ServerOfTest,
  sessionIn,
  withServer,
} from '../../http/harness.ts'
import { FIRST_SEC, GROWING, type SchemeSite, schemeSite } from '../../schemes/scheme-site.ts'
import { suite } from '../../suite.ts'

const LOOK_EVERY_MS = 60_000
const FIRST = `svc-demo@${FIRST_SEC}`
const SECOND = `svc-demo@${FIRST_SEC + 1}`

/** Parts of a server with version 1 of the schemes in a folder of its own.
 *  @param everyMs 0: the server does not download schemes */
async function ofFirstVersion(site: SchemeSite, everyMs = 3_600_000): Promise<Parts> {
  const path = site.install()
  const schemeUpdates = { path, privateKeys: null, everyMs, check() {} }
  return { schemes: await loadSchemes(path), settings: { schemeUpdates } }
}

const ask = (server: ServerOfTest, attribute: string) =>
  server.post({ ...disclosure(), disclose: [[[attribute]]] })
const askNew = (server: ServerOfTest) => ask(server, `${GROWING}.locker`)

async function withSite(use: (site: SchemeSite) => Promise<void>): Promise<void> {
  const site = await schemeSite()
  try {
    await use(site)
  } finally {
    await site.close()
  }
}

const Newest = suite('a session request for an attribute that only a newer version of a scheme has')

Newest('the scheme is updated, and the session begins with the new version', () =>
  withSite(async site =>
    withServer(await ofFirstVersion(site), async server => {
      site.publish(2)
      const session = sessionIn(await askNew(server))
      assert.is((await server.rowOf(session)).request.value.schemesVersion, SECOND)
    }),
  ),
)

Newest('an attribute that no version has is refused, and causes one update a minute at most', () =>
  withSite(async site =>
    withServer(await ofFirstVersion(site), async server => {
      const refused = async (attribute: string) => {
        const { status, text } = await ask(server, attribute)
        assert.is(status, 400)
        assert.match(text, /"error":"INVALID_REQUEST".*Unknown identifiers: /)
        return site.asked.length
      }
      assert.is(await refused('no-scheme.uni.student.locker'), 0, 'no server is asked for an unknown scheme')
      const first = await refused(`${GROWING}.locker`)
      assert.ok(first > 0)
      assert.is(await refused(`${GROWING}.nothing`), first)
      server.clock.advance(LOOK_EVERY_MS)
      assert.ok((await refused(`${GROWING}.nothing`)) > first)
    }),
  ),
)

Newest('if downloads are off, no server of a scheme is asked', () =>
  withSite(async site =>
    withServer(await ofFirstVersion(site, 0), async server => {
      site.publish(2)
      assert.is((await askNew(server)).status, 400)
      assert.equal(site.asked, [])
    }),
  ),
)

Newest(
  'two nodes with separate folders: each session is checked with its first version, on either node',
  () =>
    withSite(async site => {
      const checked: (string | undefined)[] = []
      const common: Parts = {
        clock: createSimulatedClock(Date.UTC(2026, 5, 1)),
        store: createMemoryStore(),
        effects: ({ schemesAsOf }) => ({
          async check(row) {
            checked.push((await schemesAsOf(row.request.value.schemesVersion)).version)
            return {
              event: { type: 'server.checked', isValid: true },
              columns: {},
              answer: answerOf('{"proofStatus":"VALID"}'),
            }
          },
        }),
      }
      const submit = async (server: ServerOfTest, app: string) => {
        await server.call('GET', app, { headers: appHeaders() })
        const { status, text } = await server.call('POST', `${app}/proofs`, {
          headers: appHeaders(),
          body: {},
        })
        assert.equal([status, text], [200, '{"proofStatus":"VALID"}'])
      }
      await withServer({ ...(await ofFirstVersion(site)), ...common }, async a =>
        withServer({ ...(await ofFirstVersion(site)), ...common }, async b => {
          const [old, older] = [await a.create(), await a.create()]
          site.publish(2)
          const young = sessionIn(await askNew(a))
          await submit(b, old.app) // b has only the old version
          await submit(a, older.app) // a has the new version, and keeps the old one
          await submit(b, young.app) // b updates its schemes for this session
          assert.equal(checked, [FIRST, FIRST, SECOND])
        }),
      )
    }),
)

Newest.run()
