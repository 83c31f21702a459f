/** The result of loading a folder of schemes (spec/schemes-and-cli#2, #4, #5, #9, #12). @module */
import { readFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { credentialTypeHash } from '../../crypto/metadata.ts'
import {
  parseAttributeTypeId,
  parseCredentialTypeId,
  parseIssuerId,
  parseSchemeId,
} from '../../protocol/ids.ts'
import { revocationIndexOf } from '../../schemes/base-indices.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'
import { DEMO_SCHEMES, readVector } from '../project.ts'
import { suite } from '../suite.ts'
import { type MadeKey, makeScheme, temporaryFolder } from './make-scheme.ts'

const demo = await loadSchemes(DEMO_SCHEMES)
const fastFolder = join(DEMO_SCHEMES, 'svc-demo/fast')
const fastKey: MadeKey = {
  counter: 0,
  public: readFileSync(join(fastFolder, 'PublicKeys/0.xml'), 'utf8'),
  private: readFileSync(join(fastFolder, 'PrivateKeys/0.xml'), 'utf8'),
}
const withoutPrivate: MadeKey = { counter: 0, public: fastKey.public }

async function loadMade(
  fill: (folder: string) => Promise<unknown>,
  options: { privateKeys?: string } = {},
): Promise<Schemes> {
  const folder = await temporaryFolder()
  try {
    await fill(folder.path)
    return await loadSchemes(folder.path, options)
  } finally {
    await folder.remove()
  }
}

const Load = suite('schemes: loading')

Load('both demo schemes load, with their names, times and flags', () => {
  assert.equal([...demo.schemes.keys()], ['svc-demo', 'svc-keyshare'])
  assert.equal(demo.ignored, [])
  const scheme = demo.scheme(parseSchemeId('svc-demo'))
  assert.is(scheme?.isDemo, true)
  assert.is(scheme?.timestampSec, 1795260553)
  assert.is(scheme?.timestampServer, 'http://127.0.0.1:8190/')
  assert.equal(scheme?.languages, ['en', 'nl'])
  assert.equal(scheme?.name, { en: 'Demo service scheme', nl: 'Demo-schema van de dienst' })
  assert.equal(
    [...(scheme?.issuers.keys() ?? [])],
    ['fast', 'gov', 'old', 'uni'].map(name => `svc-demo.${name}`),
  )
})

Load('a credential type has its attributes in the order of the bases', () => {
  const card = demo.credentialType(parseCredentialTypeId('svc-demo.gov.idcard'))
  const names = ['initials', 'familyname', 'over18', 'nationality', 'docnumber']
  assert.equal(
    card?.attributes.map(attribute => attribute.id),
    names.map(name => `svc-demo.gov.idcard.${name}`),
  )
  assert.equal(
    card?.attributes.map(attribute => attribute.isOptional),
    [false, false, false, true, false],
  )
  assert.is(card?.attributes[2]?.displayHint, 'yesno')
  assert.equal(card?.attributes[2]?.name, { en: 'Over 18', nl: 'Ouder dan 18' })
  assert.is(card?.isSingleton, false)
  assert.is(demo.credentialType(parseCredentialTypeId('svc-demo.gov.registration'))?.isSingleton, true)
})

Load('the revocation attribute keeps its place and has no name', () => {
  const permit = demo.credentialType(parseCredentialTypeId('svc-demo.gov.permit'))
  assert.is(permit?.supportsRevocation, true)
  assert.equal(
    permit?.attributes.map(attribute => attribute.isRevocation),
    [false, true, false],
  )
  assert.is(permit?.attributes[1]?.id, 'svc-demo.gov.permit.')
  assert.is(demo.attributeType(parseAttributeTypeId('svc-demo.gov.permit.'))?.isRevocation, true)
  assert.equal(permit?.revocationServers, ['http://127.0.0.1:8188/irma'])
  assert.is(permit?.revocationUpdateCount, 16)
})

Load('the revocation attribute has the base index of its place; most types have none', () => {
  const indices = ['gov.permit', 'fast.badge', 'gov.idcard'].map(name => {
    const type = demo.credentialType(parseCredentialTypeId(`svc-demo.${name}`))
    return type && revocationIndexOf(type)
  })
  assert.equal(indices, [3, 2, null])
})

Load('a randomblind attribute is marked', () => {
  const id = parseAttributeTypeId('svc-demo.uni.ballot.votingnumber')
  assert.is(demo.attributeType(id)?.isRandomBlind, true)
})

Load('a credential type is found by the hash in a metadata attribute', () => {
  const id = parseCredentialTypeId('svc-demo.gov.idcard')
  assert.is(demo.credentialTypeByHash(credentialTypeHash(id))?.id, id)
  assert.is(demo.credentialTypeByHash('00'.repeat(16)), undefined)
})

Load('keys are found by issuer and counter, the latest private key by the highest counter', () => {
  const uni = parseIssuerId('svc-demo.uni')
  assert.equal([...(demo.issuer(uni)?.publicKeys.keys() ?? [])], [0, 1])
  const key = demo.publicKey(uni, 1)
  assert.is(key?.n.toString(2).length, 2048)
  assert.is(key?.R.length, 12)
  assert.ok(key?.revocation)
  assert.is(demo.publicKey(uni, 2), undefined)
  const latest = demo.latestPrivateKey(uni)
  assert.is(latest?.counter, 1)
  assert.is((latest?.p ?? 0n) * (latest?.q ?? 0n), key?.n)
  assert.is(demo.privateKey(uni, 0)?.counter, 0)
  assert.is(demo.latestPrivateKey(parseIssuerId('svc-demo.nobody')), undefined)
})

Load('proofs of a scheme with a keyshare server form a separate group', () => {
  assert.is(demo.groupOf(parseSchemeId('svc-demo')), '.')
  assert.is(demo.groupOf(parseSchemeId('svc-keyshare')), 'svc-keyshare')
  const keys = demo.scheme(parseSchemeId('svc-keyshare'))?.keyshareKeys
  assert.equal([...(keys?.keys() ?? [])], [0, 1])
})

Load('a 4096-bit key whose primes are not safe loads in a demo scheme', async () => {
  const { keys } = readVector('cryptography-vectors.json') as {
    keys: Record<string, { public: string; private: string }>
  }
  const key = {
    counter: 3,
    public: keys['scheme.issuerD-3']?.public ?? '',
    private: keys['scheme.issuerD-3']?.private ?? '',
  }
  const issuer = { name: 'big', keys: [key], types: [{ name: 'card', attributes: ['a', 'b'] }] }
  const schemes = await loadMade(folder => makeScheme(folder, { id: 'large', issuers: [issuer] }))
  assert.is(schemes.publicKey(parseIssuerId('large.big'), 3)?.n.toString(2).length, 4096)
  assert.is(schemes.latestPrivateKey(parseIssuerId('large.big'))?.counter, 3)
})

Load('files that are not in the index are ignored, with any content', async () => {
  const issuer = { name: 'fast', keys: [fastKey], types: [{ name: 'note', attributes: ['text'] }] }
  const schemes = await loadMade(async parent => {
    const folder = await makeScheme(parent, { id: 'made', issuers: [issuer] })
    await mkdir(join(folder, 'stray/Issues/card'), { recursive: true })
    for (const path of [
      'stray/description.xml',
      'stray/Issues/card/description.xml',
      'fast/PublicKeys/1.xml',
      'kss-5.pem',
    ])
      await writeFile(join(folder, path), 'no scheme file')
  })
  assert.equal([...(schemes.scheme(parseSchemeId('made'))?.issuers.keys() ?? [])], ['made.fast'])
  assert.equal([...(schemes.issuer(parseIssuerId('made.fast'))?.publicKeys.keys() ?? [])], [0])
})

Load('requestor schemes and remains of updates are skipped, with a reason', async () => {
  const schemes = await loadMade(async parent => {
    await cp(join(DEMO_SCHEMES, 'svc-keyshare'), join(parent, 'any-name'), { recursive: true })
    for (const name of ['requestors', 'empty', '.tempscheme1', 'oldscheme2', '.git'])
      await mkdir(join(parent, name))
    await writeFile(
      join(parent, 'requestors/description.json'),
      '{"id":"requestors","schemetype":"requestor"}',
    )
    await writeFile(join(parent, 'README.md'), 'a plain file')
  })
  assert.equal([...schemes.schemes.keys()], ['svc-keyshare'])
  assert.equal(
    schemes.ignored.map(({ folder, reason }) => [folder.split('/').at(-1), reason]),
    [
      ['empty', 'neither description.xml nor index'],
      ['oldscheme2', 'left behind by an update'],
      ['requestors', 'a requestor scheme'],
    ],
  )
})

Load(
  'the operator may put private keys into a separate folder, in which files of other names are ignored',
  async () => {
    const keys = await temporaryFolder()
    await writeFile(join(keys.path, 'made.fast.xml'), fastKey.private ?? '')
    await writeFile(join(keys.path, 'README.md'), 'no key')
    const issuer = { name: 'fast', keys: [withoutPrivate], types: [{ name: 'note', attributes: ['text'] }] }
    const make = (parent: string): Promise<string> =>
      makeScheme(parent, { id: 'made', isDemo: false, issuers: [issuer] })
    const schemes = await loadMade(make, { privateKeys: keys.path })
    await keys.remove()
    assert.is(schemes.latestPrivateKey(parseIssuerId('made.fast'))?.counter, 0)
    assert.is((await loadMade(make)).latestPrivateKey(parseIssuerId('made.fast')), undefined)
  },
)

Load('dependencies are read, without the branches that would lead back to the type itself', async () => {
  const needs = (...names: readonly string[]): string =>
    `<Dependencies><Or>${names.map(name => `<And><CredentialType>made.fast.${name}</CredentialType></And>`).join('')}</Or></Dependencies>`
  const types = [
    { name: 'a', attributes: ['x'], xml: needs('b') },
    { name: 'b', attributes: ['x'], xml: needs('a', 'c') },
    { name: 'c', attributes: ['x'] },
  ]
  const schemes = await loadMade(folder =>
    makeScheme(folder, { id: 'made', issuers: [{ name: 'fast', keys: [fastKey], types }] }),
  )
  assert.equal(schemes.credentialType(parseCredentialTypeId('made.fast.b'))?.dependencies, [
    [['made.fast.a'], ['made.fast.c']],
  ])
})

Load.run()
