/** A real phone and the tour: the address that it gets, the question, and the accepted values. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { addressForPhone } from '../../demo/own-phone/address.ts'
import { questionFor, requestOf } from '../../demo/own-phone/question.ts'
import { toldOf } from '../../demo/own-phone/routes.ts'
import { networkAddresses } from '../../server/files/directories.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { makeScheme } from '../schemes/make-scheme.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const Address = suite('demo --phone: the address')

Address('addresses in a network are found, but neither loopback addresses nor addresses of IPv6', () => {
  const one = (address: string, family: 'IPv4' | 'IPv6', internal = false) => ({
    address,
    internal,
    netmask: '',
    mac: '',
    cidr: null,
    ...(family === 'IPv6' ? { family, scopeid: 0 } : { family }),
  })
  const interfaces = {
    lo: [one('127.0.0.1', 'IPv4', true), one('::1', 'IPv6', true)],
    eth0: [one('fd00::2', 'IPv6'), one('192.0.2.2', 'IPv4')],
    wlan0: [one('198.51.100.7', 'IPv4')],
  }
  assert.equal(networkAddresses(interfaces), ['192.0.2.2', '198.51.100.7'])
})

Address('the first address is used, or the one in the option', () => {
  const found = ['192.0.2.2', '198.51.100.7']
  assert.is(addressForPhone(found), '192.0.2.2')
  assert.is(addressForPhone(found, '198.51.100.7'), '198.51.100.7')
})

Address(
  'an address that this computer does not have in a network is refused, and so is a computer without one',
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

Question('if no scheme of the app is installed, the question is about the demo scheme', async () => {
  for (const others of [[], ['/nowhere'], [temporaryFolder()]]) {
    const question = await questionFor([DEMO_SCHEMES, ...others])
    assert.not.ok(question.isOfApp)
    assert.equal(requestOf(question), {
      '@context': 'https://irma.app/ld/request/disclosure/v2',
      disclose: [[['svc-demo.gov.idcard.over18']]],
    })
  }
})

Question(
  'if schemes of the app are installed, the question is about any one of their attributes',
  async () => {
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
  },
)

Question('a scheme of that name without these attributes is ignored', async () => {
  const other = await folderWith('irma-demo', 'fast', 'note', 'text')
  assert.not.ok((await questionFor([DEMO_SCHEMES, other])).isOfApp)
})

Question.run()

const Told = suite('demo --phone: the answer for the page')

Told('values are taken only from a session that is DONE with a valid proof', async () => {
  const { schemes } = await questionFor([DEMO_SCHEMES])
  const disclosed = [[{ id: 'svc-demo.gov.idcard.over18', rawvalue: 'yes' }]]
  const valid = { status: 'DONE', proofStatus: 'VALID', disclosed } as const
  assert.equal(toldOf(schemes, valid), {
    status: 'DONE',
    isAccepted: true,
    seen: [{ card: 'Demo identity card', name: 'Over 18', value: 'yes' }],
  })
  for (const result of [
    { ...valid, proofStatus: 'EXPIRED' },
    { ...valid, status: 'CANCELLED' },
  ] as const)
    assert.equal(toldOf(schemes, result), { status: result.status, isAccepted: false, seen: [] })
})

Told.run()
