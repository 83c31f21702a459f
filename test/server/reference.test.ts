import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { exampleFile } from '../../server/settings/example-file.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { oidcServer } from '../../server/settings/oidc-server.ts'
import { readSettingsFile } from '../../server/settings/read-file.ts'
import { headingOf, optionsReference } from '../../server/settings/reference.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const Reference = suite('settings: the reference')

Reference('docs/options.md is the output of `svc server options`', () => {
  assert.is(readFileSync('docs/options.md', 'utf8'), optionsReference(sessionServer))
})

Reference('docs/keyshare-options.md is the output of `svc keyshare options`', () => {
  assert.is(readFileSync('docs/keyshare-options.md', 'utf8'), optionsReference(keyshareServer))
})

Reference('docs/oidc-options.md is the output of `svc oidc options`', () => {
  assert.is(readFileSync('docs/oidc-options.md', 'utf8'), optionsReference(oidcServer))
})

for (const server of [sessionServer, keyshareServer, oidcServer]) {
  const { name, command, names } = server

  Reference(`${command}: no option is below the default heading`, () => {
    assert.equal(
      names.filter(each => headingOf(server, each) === 'Options'),
      [],
    )
  })

  Reference(
    `docs/${name}.yml has every option, and is the output of \`${command} options --format yaml\``,
    () => {
      assert.is(readFileSync(`docs/${name}.yml`, 'utf8'), exampleFile(server))
    },
  )

  Reference(
    `docs/${name}.yml changes no default, neither unchanged nor without the "#" before its options`,
    () => {
      const written = exampleFile(server)
      const uncommented = written.replace(/^#(?=\w+: )/gm, '')
      const normally = server.resolve({ flags: {}, variables: {}, file: undefined })
      for (const [text, count] of [
        [written, 0],
        [uncommented, names.length],
      ] as const) {
        const path = join(temporaryFolder(), `${name}.yml`)
        writeFileSync(path, text)
        const file = readSettingsFile(path, [])
        assert.is(Object.keys(file?.values ?? {}).length, count)
        assert.equal(server.resolve({ flags: {}, variables: {}, file }), normally)
      }
    },
  )
}
Reference.run()
