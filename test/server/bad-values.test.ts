/** Bad values of every option of every server. Each is refused with the name of its option, expected and got. The cases are generated from the lists of options. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { check as checkKeyshare } from '../../cli/keyshare/run.ts'
import { check as checkOidc } from '../../cli/oidc/run.ts'
import { check as checkServer } from '../../cli/server/run.ts'
import type { CommandLineInput } from '../../cli/servers/options.ts'
import { SettingsError } from '../../server/settings/errors.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { oidcServer } from '../../server/settings/oidc-server.ts'
import type { OptionList, Sources } from '../../server/settings/resolve.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import {
  ANY_TEXT,
  BAD_IN_FILE,
  BAD_IN_TEXT,
  BAD_TEXTS,
  READ_LATER,
  SECRET,
  type Values,
} from './bad-values.ts'

type Server = OptionList & { readonly resolve: (sources: Sources) => unknown }

const SERVERS: readonly {
  readonly server: Server
  readonly check: (given: CommandLineInput) => Promise<void>
}[] = [
  { server: sessionServer, check: checkServer },
  { server: keyshareServer, check: checkKeyshare },
  { server: oidcServer, check: checkOidc },
]
const file = join(temporaryFolder(), 'bad.json')
/** The smaller of the demo schemes, because each check reads all schemes. */
const schemes = temporaryFolder()
cpSync(join(DEMO_SCHEMES, 'svc-keyshare'), join(schemes, 'svc-keyshare'), { recursive: true })
const nothing: Sources = { flags: {}, variables: {}, file: undefined }

/** @returns the line about the option
 *  @throws the error if it is not a refusal, or if the refusal has no line about the option or contains a secret */
function refusalOf(error: unknown, option: string, of: string): string {
  if (!(error instanceof SettingsError)) throw error
  assert.not.match(error.message, SECRET, of)
  const place = new RegExp(
    `^(?:flag |variable |)\\S*\\b${option}\\b[^:]*: .*expected .+(?:, got |, but )`,
    'is',
  )
  const reason = error.reasons.find(each => place.test(each))
  assert.ok(reason, `${of}: expected a reason about ${option}, got ${error.message}`)
  return reason ?? ''
}

async function refusalBy(act: () => unknown, option: string, of: string): Promise<string> {
  try {
    await act()
  } catch (error) {
    return refusalOf(error, option, of)
  }
  throw new Error(`${of}: expected a refusal, got none`)
}

const Bad = suite('settings: bad values of every option')

for (const { server, check } of SERVERS) {
  const { name, names } = server
  Bad(`${name}: values of other kinds in a file`, async () => {
    for (const option of names)
      for (const value of BAD_IN_FILE[server.factsOf(option).form]) {
        const of = `${option}: ${JSON.stringify(value)}`
        if (option === 'static_sessions' && typeof value === 'object') continue // requests are checked later
        if (READ_LATER.includes(option)) continue
        const values = { [option]: value }
        await refusalBy(() => server.resolve({ ...nothing, file: { name: 'f.yml', values } }), option, of)
      }
  })

  Bad(`${name}: texts of other kinds in flags and variables`, async () => {
    for (const option of names)
      for (const text of BAD_IN_TEXT[server.factsOf(option).form]) {
        if (option === 'static_sessions' && text === '{"a":5}') continue
        if (READ_LATER.includes(option)) continue
        const flag = server.flagOf(option).slice(2)
        const variable = server.variableOf(option)
        await refusalBy(
          () => server.resolve({ ...nothing, flags: { [option]: text } }),
          flag,
          `${flag} ${text}`,
        )
        const variables = { [variable]: text }
        await refusalBy(() => server.resolve({ ...nothing, variables }), variable, `${variable}=${text}`)
      }
  })

  Bad(`${name}: null in a file counts as not set`, () => {
    const values = Object.fromEntries(names.map(option => [option, null]))
    assert.equal(server.resolve({ ...nothing, file: { name: 'f.yml', values } }), server.resolve(nothing))
  })

  Bad(`${name}: each option of text is in the table of refused texts, or in that of any text`, () => {
    const texts = names.filter(option => server.factsOf(option).form === 'text')
    const known = [...Object.keys(BAD_TEXTS[name] ?? {}), ...ANY_TEXT]
    assert.equal(
      texts.filter(option => !known.includes(option)),
      [],
    )
  })

  for (const [option, { texts, beside = {} }] of Object.entries(BAD_TEXTS[name] ?? {}))
    Bad(`${name}: texts that ${option} refuses`, async () => {
      for (const text of texts) {
        const values: Values = { schemes_path: schemes, quiet: true, ...beside, [option]: text }
        writeFileSync(file, JSON.stringify(values))
        const given = { flags: {}, config: file, unknown: [] }
        await refusalBy(() => check(given), option, `${option}: ${JSON.stringify(text.slice(0, 40))}`)
      }
    })
}
Bad.run()
