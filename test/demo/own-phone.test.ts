/** A real phone and the tour: which address it is told, what it is asked, what it may call there, and a whole session on an address of the network. @module */
import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { startDemo } from '../../demo/demo.ts'
import type { Demo } from '../../demo/options.ts'
import { addressForPhone } from '../../demo/own-phone/address.ts'
import { questionFor, requestOf } from '../../demo/own-phone/question.ts'
import type { OwnPhoneTold } from '../../demo/own-phone/routes.ts'
import { type OwnPhone, openOwnPhone } from '../../demo/own-phone/server.ts'
import { networkAddresses } from '../../server/files/directories.ts'
import { opened } from '../../server/opened.ts'
import { type Phone, startPhone } from '../frontends/phone.ts'
import { DEMO_SCHEMES, isMissing } from '../project.ts'
import { makeScheme } from '../schemes/make-scheme.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { OPTIONS, pageOf, type SiteStart } from './start.ts'

const TOKEN = 'x'.repeat(20)
/** A loopback address that is not the tour's own. */
const OTHER = '127.0.0.2'

const Address = suite('demo --phone: the address')

Address('those of networks are found, and neither those of this computer alone nor of version 6', () => {
  const one = (address: string, family: 'IPv4' | 'IPv6', internal = false) => ({
    ...{ address, internal, netmask: '', mac: '', cidr: null },
    ...(family === 'IPv6' ? { family, scopeid: 0 } : { family }),
  })
  const interfaces = {
    lo: [one('127.0.0.1', 'IPv4', true), one('::1', 'IPv6', true)],
    eth0: [one('fd00::2', 'IPv6'), one('192.0.2.2', 'IPv4')],
    wlan0: [one('198.51.100.7', 'IPv4')],
  }
  assert.equal(networkAddresses(interfaces), ['192.0.2.2', '198.51.100.7'])
})

Address('it is the first, or the one that is named', () => {
  const found = ['192.0.2.2', '198.51.100.7']
  assert.is(addressForPhone(found), '192.0.2.2')
  assert.is(addressForPhone(found, '198.51.100.7'), '198.51.100.7')
})

Address(
  'one that this computer does not have in a network is refused, and so is a computer without any',
  () => {
    for (const wanted of ['127.0.0.1', '0.0.0.0', '192.0.2.3', ''])
      assert.throws(
        () => addressForPhone(['192.0.2.2', '198.51.100.7'], wanted),
        new RegExp(
          `^--phone: expected an address of this computer in a network \\(192\\.0\\.2\\.2, 198\\.51\\.100\\.7\\), got "${wanted}"$`,
        ),
      )
    for (const wanted of [undefined, '192.0.2.2'])
      assert.throws(
        () => addressForPhone([], wanted),
        /^--phone: expected an IPv4 address of this computer in a network, got none$/,
      )
  },
)

Address.run()

const Question = suite('demo --phone: the question')

async function folderWith(id: string, issuer: string, type: string, attribute: string): Promise<string> {
  const folder = temporaryFolder()
  const key = {
    counter: 0,
    public: readFileSync(join(DEMO_SCHEMES, 'svc-demo/fast/PublicKeys/0.xml'), 'utf8'),
  }
  const types = [{ name: type, attributes: [attribute] }]
  await makeScheme(folder, { id, issuers: [{ name: issuer, keys: [key], types }] })
  return folder
}

Question('where no scheme is installed that the app carries, the demo scheme is asked', async () => {
  for (const others of [[], ['/nowhere'], [temporaryFolder()]]) {
    const question = await questionFor([DEMO_SCHEMES, ...others])
    assert.not.ok(question.isOfApp)
    assert.equal(requestOf(question), {
      '@context': 'https://irma.app/ld/request/disclosure/v2',
      disclose: [[['svc-demo.gov.idcard.over18']]],
    })
  }
})

Question('an installed scheme that the app carries is asked, one of its attributes by itself', async () => {
  const installed = await folderWith('irma-demo', 'MijnOverheid', 'ageLower', 'over18')
  const question = await questionFor([DEMO_SCHEMES, installed])
  assert.ok(question.isOfApp)
  assert.equal(question.attributes, ['irma-demo.MijnOverheid.ageLower.over18'])
  await makeScheme(installed, {
    id: 'pbdf',
    issuers: [
      {
        name: 'sidn-pbdf',
        keys: [],
        types: [{ name: 'email', attributes: ['email'] }],
      },
    ],
  })
  assert.equal(requestOf(await questionFor([installed, DEMO_SCHEMES])), {
    '@context': 'https://irma.app/ld/request/disclosure/v2',
    disclose: [[['irma-demo.MijnOverheid.ageLower.over18'], ['pbdf.sidn-pbdf.email.email']]],
  })
})

Question('a scheme of that name without these attributes is passed over', async () => {
  const other = await folderWith('irma-demo', 'fast', 'note', 'text')
  assert.not.ok((await questionFor([DEMO_SCHEMES, other])).isOfApp)
})

Question.run()

const Reached = suite('demo --phone: what the phone reaches')

/** Whether anybody answers a connection. */
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

/** The two listeners for a phone, without the tour beside them. */
async function withListeners(use: (phone: OwnPhone) => Promise<void>): Promise<void> {
  const options = { ...OPTIONS, host: '127.0.0.1', ownPhone: { address: OTHER, schemesPaths: [] } }
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

Reached('the calls of wallet apps stand there, those of requestors on the loopback address', () =>
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

Reached('the listener of requestors answers to its own name only', () =>
  withListeners(async ({ requestors }) => {
    const { port } = new URL(requestors)
    assert.is((await fetch(`http://localhost:${port}/health`)).status, 403)
  }),
)

Reached(
  'a tour without it listens nowhere but on the loopback address, and has none of its calls',
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
const [network] = networkAddresses()
const test = isMissing('an address in a network', network !== undefined) ? Whole.skip : Whole

/** A tour for a phone on the address of the network, what its page calls, and the phone. */
async function withPhone(
  use: (demo: Demo, page: ReturnType<typeof ownPhonePage>, phone: Phone) => Promise<void>,
): Promise<void> {
  const demo = await startDemo({ ...OPTIONS, ownPhone: { address: network ?? '', schemesPaths: [] } })
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
    told: (id: string) => call<OwnPhoneTold>(`/demo/own-phone/told/${id}`),
  }
}

test('the phone answers on the address of the network, and the page is told the status and the value', () =>
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
      ...{ status: 'DONE', isAccepted: true },
      seen: [{ card: 'Demo identity card', name: 'Over 18', value: 'yes' }],
    })
  }))

test('a phone that refuses shows nothing, and an unknown session is not found', () =>
  withPhone(async (_, { start, told }, phone) => {
    const { id, sessionPtr } = await start()
    const scan = phone.scan(JSON.stringify(sessionPtr))
    await scan.asked()
    scan.refuse()
    await scan.outcome
    assert.equal((await told(id)).body, { status: 'CANCELLED', isAccepted: false, seen: [] })
    assert.is((await told('nobody')).status, 404)
  }))

test('neither the tour nor its inspector listens on the address of the network', () =>
  withPhone(async (demo, { tour }) => {
    const { ownPhone, inspector } = await tour()
    assert.equal(ownPhone, {
      address: demo.phoneAddress,
      asked: [{ card: 'Demo identity card', name: 'Over 18' }],
      isOfApp: false,
    })
    for (const address of [demo.address, inspector])
      assert.not.ok(await listens(network ?? '', new URL(address).port))
    const browser = { headers: { Accept: 'text/html' } }
    assert.is(
      (await fetch(`${demo.phoneAddress}/`, browser)).status,
      200,
      'the browser of the phone sees a page',
    )
  }))

Whole.run()
