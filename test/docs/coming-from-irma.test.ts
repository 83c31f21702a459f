/** Compares the tables of docs/coming-from-irma.md with the program. */
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import type { OptionList } from '../../server/settings/resolve.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { runSvc } from '../cli/run-svc.ts'
import { withServer } from '../http/harness.ts'
import { IGNORED, REFUSED, TAKEN, TAKEN_ALONE } from '../server/existing-options.ts'
import { KEYSHARE_TAKEN } from '../server/keyshare/existing-options.ts'
import { suite } from '../suite.ts'
import { textOf } from './pages.ts'

const PAGE = textOf('docs/coming-from-irma.md')

type Row = { readonly names: readonly string[]; readonly here: string; readonly why: string }

/** @returns the rows below a heading; a cell with several names has each in code type */
function rowsBelow(heading: string): readonly Row[] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`)
  const [until = ''] = section.split('\n## ')
  return [...until.matchAll(/^\| (`.*?) \| (.*?) \| ?(.*?) ?\|$/gm)].map(
    ([, names = '', here = '', why = '']) => ({ names: inCode(names), here, why }),
  )
}

function inCode(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** The sorted names of the rows with this word in the second column. */
function named(rows: readonly Row[], here: string): string[] {
  return rows
    .filter(row => row.here === here)
    .flatMap(({ names }) => names)
    .toSorted()
}

/** The expected word on the page for each option of the existing server. */
function wordFor({ names, foreign }: OptionList, option: string): string {
  if (Object.hasOwn(foreign.ignored, option)) return 'ignored'
  if (Object.hasOwn(foreign.refused, option)) return 'refused'
  return names.includes(option) ? 'taken' : 'unknown'
}

const Page = suite('docs/coming-from-irma.md: its tables')

Page('the page has each setting of the session server once, and the right word for it', () => {
  const rows = rowsBelow('Settings of `irma server`')
  assert.equal(named(rows, 'taken'), [...Object.keys(TAKEN), ...Object.keys(TAKEN_ALONE)].toSorted())
  assert.equal(named(rows, 'ignored'), Object.keys(IGNORED).toSorted())
  assert.equal(named(rows, 'refused'), Object.keys(REFUSED).toSorted())
  for (const { names, here } of rows)
    for (const name of names) assert.is(wordFor(sessionServer, name), here, name)
})

Page('the page has each setting of the keyshare server once, and the right word for it', () => {
  const rows = rowsBelow('Settings of `irma keyshare server`')
  const all = rows.flatMap(({ names }) => names)
  assert.equal(all, [...new Set(all)])
  assert.is(all.length, 68)
  for (const { names, here } of rows)
    for (const name of names) assert.is(wordFor(keyshareServer, name), here, name)
  const { ignored, refused } = keyshareServer.foreign
  assert.equal(named(rows, 'taken'), Object.keys(KEYSHARE_TAKEN).toSorted())
  assert.equal(named(rows, 'ignored'), Object.keys(ignored).toSorted())
  assert.equal(named(rows, 'refused'), Object.keys(refused).toSorted())
})

Page('the page has a reason for each setting or command that is refused or missing', () => {
  const rows = [
    ...rowsBelow('Settings of `irma server`'),
    ...rowsBelow('Settings of `irma keyshare server`'),
    ...rowsBelow('Commands'),
  ]
  const lacking = rows.filter(({ here }) => here === 'refused' || here === 'none')
  assert.ok(lacking.length > 10)
  assert.equal(
    lacking.filter(({ why }) => !/^[A-Z`].{15,}\.$/.test(why)),
    [],
  )
})

Page('each short flag of the page is a flag of the server', () => {
  const [, sentence = ''] = /The short flags (.*?) are the same/.exec(PAGE) ?? []
  const shorts = sessionServer.names.map(name => `-${sessionServer.factsOf(name).short}`)
  assert.equal(
    inCode(sentence).filter(flag => flag !== '-c' && !shorts.includes(flag)),
    [],
  )
  assert.is(inCode(sentence).length, 10)
})

Page('each command that the page names exists', async () => {
  const rows = rowsBelow('Commands')
  const { stdout } = await runSvc(['man'])
  const commands = new Set(
    [...stdout.matchAll(/^\.S[HS] "?(svc[\w \\-]*)/gm)].map(([, words = '']) =>
      words.replaceAll('\\', '').trim(),
    ),
  )
  const ours = rows.flatMap(({ here }) => inCode(here)).filter(command => command !== 'svc --version')
  assert.ok(ours.length > 15)
  assert.equal(
    ours.filter(command => !commands.has(command)),
    [],
  )
  assert.equal(
    rows.filter(({ here }) => here !== 'none' && inCode(here).length !== 1),
    [],
  )
})

const DOCUMENT = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
/** Replaces the names of parameters, which are not part of an address. */
const shape = (endpoint: string): string => endpoint.replace(/\{\w+\}/g, '{}')

Page(
  'each endpoint of the page exists in the profile irma, and no endpoint of this server is missing',
  async () => {
    await withServer({ settings: { profile: 'irma' } }, async server => {
      const { paths } = DOCUMENT.parse(JSON.parse((await server.call('GET', '/openapi.json')).text))
      const served = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map(method => shape(`${method.toUpperCase()} ${path}`)),
      )
      const rows = rowsBelow('Endpoints')
      const page = rows.flatMap(({ names }) => names).map(shape)
      assert.equal(
        rows.filter(({ here }) => here !== 'same'),
        [],
      )
      const own = ['GET /health/ready', 'GET /openapi.json', 'GET /openapi']
      assert.equal([...page, ...own].toSorted(), served.toSorted())
    })
  },
)
Page.run()
