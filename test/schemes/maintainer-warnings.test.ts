/** Faults of a scheme that are visible in users' apps (spec/schemes-and-cli#4, #5, #8.5): `svc scheme verify` reports each. @module */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { SchemeError } from '../../schemes/scheme-error.ts'
import { verifyScheme } from '../../schemes/verify.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type MadeScheme, makeScheme } from './make-scheme.ts'
import { publicXml, replacing, sound, withType } from './refusal.ts'

const NOW_SEC = 1_795_260_553
const LOGOS = { 'fast/logo.png': 'a picture', 'fast/Issues/note/logo.png': 'a picture' }
const TWO_LANGUAGES = '<Languages><Language>en</Language><Language>nl</Language></Languages>'

/** @returns the warnings of verify about a signed scheme */
async function warningsOf(scheme: MadeScheme): Promise<readonly string[]> {
  return verifyScheme(await makeScheme(temporaryFolder(), scheme), NOW_SEC)
}

function withAttributes(...xml: readonly string[]): MadeScheme {
  const attributes = xml.map((each, i) => ({ id: `a${i}`, xml: each }))
  return { ...withType({ attributes }), files: LOGOS }
}

const Warnings = suite('schemes: warnings for a maintainer')

Warnings('a complete scheme has no warning', async () => {
  assert.equal(await warningsOf(replacing(LOGOS)), [])
  for (const name of ['svc-demo', 'svc-keyshare'])
    assert.equal(
      (await verifyScheme(join(DEMO_SCHEMES, name), NOW_SEC)).filter(text => !text.includes('public key')),
      [],
    )
})

Warnings('issuers and credential types need a signed logo', async () => {
  assert.equal(await warningsOf(sound), [
    'Issuer made.fast has no logo.png',
    'Credential type made.fast.note has no logo.png',
  ])
  const unsigned = await makeScheme(temporaryFolder(), replacing({ 'fast/logo.png': 'a picture' }))
  writeFileSync(join(unsigned, 'fast/Issues/note/logo.png'), 'a picture')
  assert.equal(await verifyScheme(unsigned, NOW_SEC), [
    'Ignored file: fast/Issues/note/logo.png',
    'Credential type made.fast.note has no logo.png',
  ])
})

Warnings('an issuer without credential types has a warning', async () => {
  const issuer = { name: 'fast', keys: [{ counter: 0, public: publicXml }], types: [] }
  assert.equal(await warningsOf({ id: 'made', issuers: [issuer], files: { 'fast/logo.png': 'a' } }), [
    'Issuer made.fast has no credential types',
  ])
})

const DISPLAY = 'Credential type made.fast.note has invalid attribute'

Warnings('every displayIndex is a position among the attributes, and no two are equal', async () => {
  assert.equal(await warningsOf(withAttributes('displayIndex="1"', 'displayIndex="0"')), [])
  assert.equal(await warningsOf(withAttributes('displayIndex="7"', '')), [
    `${DISPLAY} displayIndex at attribute 0: expected 0 to 1, got 7`,
  ])
  assert.equal(await warningsOf(withAttributes('displayIndex="2"', 'displayIndex="-1"')), [
    `${DISPLAY} displayIndex at attribute 0: expected 0 to 1, got 2`,
    `${DISPLAY} displayIndex at attribute 1: expected 0 to 1, got -1`,
  ])
  assert.equal(await warningsOf(withAttributes('displayIndex="0"', 'displayIndex="0"')), [
    `${DISPLAY} ordering: a displayIndex occurs twice`,
  ])
})

Warnings('every text needs every language of its description, inherited from the scheme', async () => {
  const demo = { ...sound, isDemo: false, files: LOGOS }
  assert.equal(await warningsOf({ ...demo, xml: TWO_LANGUAGES }), [
    'Scheme made misses nl translation in <Name>',
    'Scheme made misses nl translation in <Description>',
    'Issuer made.fast misses nl translation in <Name>',
    'Credential type made.fast.note misses nl translation in <Name>',
    'Credential type made.fast.note misses nl translation in <Description>',
    'Attribute made.fast.note.text misses nl translation in <Name>',
    'Attribute made.fast.note.text misses nl translation in <Description>',
  ])
  const xml = `${TWO_LANGUAGES}<Name><nl> </nl></Name><Description><nl>Kaart</nl></Description><IssueURL><en>a</en></IssueURL>`
  assert.equal(await warningsOf({ ...withType({ xml }, false), files: LOGOS }), [
    'Credential type made.fast.note misses nl translation in <Name>',
    'Credential type made.fast.note misses nl translation in <IssueURL>',
    'Attribute made.fast.note.text misses nl translation in <Name>',
    'Attribute made.fast.note.text misses nl translation in <Description>',
  ])
})

Warnings('a revocation attribute needs no texts', async () => {
  const folder = temporaryFolder()
  cpSync(join(DEMO_SCHEMES, 'svc-demo'), folder, { recursive: true })
  assert.not.match((await verifyScheme(folder, NOW_SEC)).join(), 'translation')
})

for (const path of ['extra/description.xml', 'fast/Issues/extra/description.xml'])
  Warnings(`an unlisted ${path} is an error`, async () => {
    const folder = await makeScheme(temporaryFolder(), sound)
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '<IssueSpecification version="4"/>')
    const error = await verifyScheme(folder, NOW_SEC).catch(reason => reason)
    assert.instance(error, SchemeError)
    assert.match(error.message, `${file}: expected a file that is listed in the index, got an unlisted one`)
    rmSync(file)
    await verifyScheme(folder, NOW_SEC)
  })

Warnings('an unlisted description.xml in another place is only ignored', async () => {
  const folder = await makeScheme(temporaryFolder(), replacing(LOGOS))
  mkdirSync(join(folder, 'fast/notes/old'), { recursive: true })
  writeFileSync(join(folder, 'fast/notes/old/description.xml'), '')
  assert.equal(await verifyScheme(folder, NOW_SEC), ['Ignored file: fast/notes/old/description.xml'])
})

Warnings.run()
