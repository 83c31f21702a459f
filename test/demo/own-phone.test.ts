/** A real phone and the tour: the calls that it may make, and a whole session on an address of the network. @module */
import { createConnection } from 'node:net'
import * as assert from 'uvu/assert'
import { startDemo } from '../../demo/demo.ts'
import type { Demo } from '../../demo/options.ts'
import type { OwnPhoneStatus } from '../../demo/own-phone/routes.ts'
import { type OwnPhone, openOwnPhone } from '../../demo/own-phone/server.ts'
import { opened } from '../../server/closable.ts'
import { networkAddresses } from '../../server/files/directories.ts'
import { freePort } from '../cli/run-svc.ts'
import { type Phone, startPhone } from '../frontends/phone.ts'
import { suite } from '../suite.ts'
import { OPTIONS, pageOf, type SiteStart } from './start.ts'

const TOKEN = 'x'.repeat(20)
/** A loopback address that is not the tour's own. */
const OTHER = '127.0.0.2'

const Reached = suite('demo --phone: what the phone reaches')

/** True if a connection is accepted. */
function listens(host: string, port: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = createConnection({ host, port: Number(port) })
    socket
      .on('error', () => resolve(false))
      .on('connect', () => {
        socket.destroy()
        resolve(true)
      })
  })
}

/** The two listeners for a phone, without the tour. */
async function withListeners(use: (phone: OwnPhone) => Promise<void>, port = 0): Promise<void> {
  const options = { ...OPTIONS, port, host: '127.0.0.1', ownPhone: { address: OTHER, schemesPaths: [] } }
  const { whole, close } = await opened(onClose => openOwnPhone(options, onClose))
  if (whole === null) throw new Error('expected a session server for a phone, got none')
  await use(whole).finally(close)
}

const OF_REQUESTORS = [
  ['POST', '/session'],
  ['DELETE', `/session/${TOKEN}`],
  ['GET', `/session/${TOKEN}/status`],
  ['GET', `/session/${TOKEN}/statusevents`],
  ['GET', `/session/${TOKEN}/result`],
  ['POST', '/revocation'],
  ['GET', '/publickey'],
  ['GET', '/health'],
] as const
const OF_APPS = [
  ['GET', `/irma/session/${TOKEN}`],
  ['POST', `/irma/session/${TOKEN}/proofs`],
  ['GET', `/irma/session/${TOKEN}/status`],
  ['DELETE', `/irma/session/${TOKEN}`],
] as const
const OF_THE_TOUR = ['/demo/tour', '/demo/phone/cards', '/main.js', '/openapi', '/openapi.json', '/charts']

Reached('its address has the calls of wallet apps, and the loopback address those of requestors', () =>
  withListeners(async ({ address, requestors }) => {
    assert.ok(address.startsWith(`http://${OTHER}:`))
    assert.ok(requestors.startsWith('http://127.0.0.1:'))
    const isKnown = async (at: string, method: string, path: string) =>
      (await fetch(at + path, { method })).status !== 404
    for (const [calls, here, there] of [
      [OF_REQUESTORS, requestors, address],
      [OF_APPS, address, requestors],
    ] as const)
      for (const [method, path] of calls)
        assert.equal(
          [await isKnown(here, method, path), await isKnown(there, method, path)],
          [true, false],
          `${method} ${path}`,
        )
    for (const path of OF_THE_TOUR) assert.not.ok(await isKnown(address, 'GET', path), path)
    assert.not.ok(await listens(OTHER, new URL(requestors).port))
  }),
)

Reached('the port of the tour is also the port for the phone', async () => {
  const port = await freePort()
  await withListeners(async ({ address }) => assert.is(address, `http://${OTHER}:${port}`), port)
})

Reached('the listener of requestors answers to its own name only', () =>
  withListeners(async ({ requestors }) => {
    const { port } = new URL(requestors)
    assert.is((await fetch(`http://localhost:${port}/health`)).status, 403)
  }),
)

Reached(
  'a tour without --phone listens only on the loopback address, and has none of these calls',
  async () => {
    const demo = await startDemo(OPTIONS)
    try {
      const page = pageOf(demo)
      assert.is(demo.phoneAddress, null)
      assert.is((await page.tour()).ownPhone, null)
      assert.is((await page.call('/demo/own-phone/start', 'POST')).status, 404)
    } finally {
      await demo.close()
    }
  },
)

Reached.run()

const Whole = suite('demo --phone: a whole session')
/** On a computer without a network, another loopback address. */
const [network = OTHER] = networkAddresses()

/** A tour for a phone on the address of the network, the calls of its page, and the phone. */
async function withPhone(
  use: (demo: Demo, page: ReturnType<typeof ownPhonePage>, phone: Phone) => Promise<void>,
): Promise<void> {
  const demo = await startDemo({ ...OPTIONS, ownPhone: { address: network, schemesPaths: [] } })
  const phone = await startPhone()
  try {
    await use(demo, ownPhonePage(demo), phone)
  } finally {
    await phone.close()
    await demo.close()
  }
}

function ownPhonePage(demo: Demo) {
  const { call, tour } = pageOf(demo)
  return {
    tour,
    start: async () => (await call<SiteStart>('/demo/own-phone/start', 'POST')).body,
    told: (id: string) => call<OwnPhoneStatus>(`/demo/own-phone/told/${id}`),
  }
}

Whole('the phone answers on the address of the network, and the page gets the status and the value', () =>
  withPhone(async (demo, { start, told }, phone) => {
    const { id, sessionPtr, ...more } = await start()
    assert.equal(more, {}, 'the page gets no token')
    assert.ok(sessionPtr.u.startsWith(`${demo.phoneAddress}/irma/session/`))
    assert.equal((await told(id)).body, { status: 'INITIALIZED', isAccepted: false, seen: [] })
    const scan = phone.scan(JSON.stringify(sessionPtr))
    await scan.asked()
    assert.equal((await told(id)).body, { status: 'CONNECTED', isAccepted: false, seen: [] })
    scan.agree()
    assert.is((await scan.outcome).status, 'success')
    assert.equal((await told(id)).body, {
      status: 'DONE',
      isAccepted: true,
      seen: [{ card: 'Demo identity card', name: 'Over 18', value: 'yes' }],
    })
  }),
)

Whole('a phone that refuses shows nothing, and an unknown session is not found', () =>
  withPhone(async (_, { start, told }, phone) => {
    const { id, sessionPtr } = await start()
    const scan = phone.scan(JSON.stringify(sessionPtr))
    await scan.asked()
    scan.refuse()
    await scan.outcome
    assert.equal((await told(id)).body, { status: 'CANCELLED', isAccepted: false, seen: [] })
    assert.is((await told('nobody')).status, 404)
  }),
)

Whole('with more than fifty sessions of the page, the oldest one is forgotten', () =>
  withPhone(async (_, { start, told }) => {
    const { id } = await start()
    for (let others = 0; others < 49; others++) await start()
    assert.is((await told(id)).status, 200)
    await start()
    await start()
    assert.is((await told(id)).status, 200, 'a session that was read is not the oldest')
    for (let others = 0; others < 50; others++) await start()
    assert.is((await told(id)).status, 404)
  }),
)

Whole('neither the tour nor its inspector listens on the address of the network', () =>
  withPhone(async (demo, { tour }) => {
    const { ownPhone, inspector } = await tour()
    assert.equal(ownPhone, {
      address: demo.phoneAddress,
      asked: [{ card: 'Demo identity card', name: 'Over 18' }],
      isOfApp: false,
    })
    for (const address of [demo.address, inspector])
      assert.not.ok(await listens(network, new URL(address).port))
    const browser = { headers: { Accept: 'text/html' } }
    assert.is(
      (await fetch(`${demo.phoneAddress}/`, browser)).status,
      200,
      'the browser of the phone sees a page',
    )
  }),
)

Whole.run()
