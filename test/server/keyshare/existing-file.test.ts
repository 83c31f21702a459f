/** The settings file of an existing keyshare server, with every setting that this server accepts or ignores (spec/keyshare-server#16). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { mailSettingsOf } from '../../../server/settings/keyshare-mail.ts'
import { keyshareServer } from '../../../server/settings/keyshare-server.ts'
import { readSettingsFile } from '../../../server/settings/read-file.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { KEYSHARE_TAKEN as TAKEN } from './existing-options.ts'

const folder = temporaryFolder()

const Existing = suite('settings: the file of an existing keyshare server')

for (const ending of ['json', 'yml'])
  Existing(
    `keyshareserver.${ending}: each setting is accepted with its value, or ignored with a line`,
    () => {
      const ignored = Object.keys(keyshareServer.foreign.ignored)
      const path = join(folder, `keyshareserver.${ending}`)
      const values = { ...TAKEN, ...Object.fromEntries(ignored.map(name => [name, 'x'])) }
      writeFileSync(path, JSON.stringify(values)) // JSON is YAML too
      const { options, warnings } = keyshareServer.resolve({
        flags: {},
        variables: {},
        file: readSettingsFile(path, []),
      })
      for (const [name, value] of Object.entries(TAKEN)) assert.equal(Reflect.get(options, name), value, name)
      assert.equal(
        warnings.map(line => line.split(' in ')[0]?.split(':')[0]).sort(),
        [...ignored, 'profile'].sort(),
      )
      assert.is(options.profile, 'irma')
      const settings = mailSettingsOf(options, options.url)
      const { nl } = TAKEN.verification_url
      assert.equal(settings?.verificationUrls, { en: nl, nl, de: nl, fr: nl })
      assert.is(settings?.ownMails.expiry.en.subject, 'Verloopt')
    },
  )

Existing.run()
