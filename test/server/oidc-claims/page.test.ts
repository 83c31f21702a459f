/** docs/sign-in-claims.md: its settings are read, and its tables have what the code has. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { facts } from '../../../server/settings/kinds.ts'
import { signInOptions } from '../../../server/settings/oidc/options.ts'
import { OWN_MEMBERS, SHARED_MEMBERS } from '../../../server/settings/oidc/read-way.ts'
import { FALSE_WORDS, TRUE_WORDS } from '../../../sessions/sign-in/conversions.ts'
import { DATE_FORMATS } from '../../../sessions/sign-in/rules.ts'
import { textOf } from '../../docs/pages.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { read, SECRET } from './values.ts'

const page = textOf('docs/sign-in-claims.md')

/** The names in the first column of the tables of a chapter. */
function firstColumn(chapter: string): readonly string[] {
  const [, text = ''] = page.split(`\n## ${chapter}\n`)
  const [part = ''] = text.split(/\n## /)
  const cells = [...part.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) => [
    ...cell.matchAll(/`(\w+)`/g),
  ])
  return cells.map(([, name = '']) => name)
}

const Page = suite('docs/sign-in-claims.md')

Page('its settings are read with the demo schemes', () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'try'))
  for (const name of ['subject.salt', 'shop.secret']) writeFileSync(join(folder, 'try', name), SECRET)
  const { rules, clients } = read(parse(yaml.replaceAll('try/', `${folder}/try/`)))
  assert.equal(rules.clients.get('shop')?.scopes, ['age', 'email'])
  assert.is(clients[0]?.client_secret, SECRET)
})

Page('the page has every member of a mapping and of a client', () => {
  const claims = firstColumn('Claims')
  for (const name of [...OWN_MEMBERS, ...SHARED_MEMBERS, 'any_of', 'unconvertible'])
    assert.ok(claims.includes(name), name)
  const described = facts.get(signInOptions.clients)?.description ?? ''
  const names = [
    ...(/\{(.*)\}/.exec(described)?.[1] ?? '').matchAll(/(?<!or )\b[a-z]\w*(?= or |,|$)|(?<= or )\w+/g),
  ]
  assert.ok(names.length > 12)
  for (const [name] of names) assert.ok(firstColumn('Clients').includes(name), name)
})

Page('the page has every date format and every default word', () => {
  for (const text of [...DATE_FORMATS, ...TRUE_WORDS, ...FALSE_WORDS])
    assert.ok(page.includes(`\`${text}\``), text)
})
Page.run()
