/** The settings of a keyshare server are checked against its schemes: the issuer of the login credential must exist, and must be able to issue it. */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parseAttributeTypeId } from '../../../protocol/ids.ts'
import { loadSchemes } from '../../../schemes/load.ts'
import type { Scheme, Schemes } from '../../../schemes/types.ts'
import { loginAttributeOf } from '../../../server/settings/keyshare-against-schemes.ts'
import { rejection } from '../../faults/rejection.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { NEEDED, readSettings } from './node.ts'

const Against = suite('settings of a keyshare server against its schemes')

/** Schemes that name another attribute as the one that holds the user name. */
function withAttribute(schemes: Schemes, attribute: string): Schemes {
  const scheme: Schemes['scheme'] = id => {
    const known: Scheme | undefined = schemes.scheme(id)
    return known && { ...known, keyshareAttribute: attribute }
  }
  return Object.assign(Object.create(schemes), { scheme })
}

Against(
  'the other attributes of the login credential must be optional: the request has only the user name',
  async () => {
    const schemes = await loadSchemes(DEMO_SCHEMES)
    const attribute = 'svc-demo.gov.idcard.familyname'
    assert.throws(
      () => loginAttributeOf(attribute, withAttribute(schemes, attribute)),
      'keyshare_attribute: expected a credential type whose other attributes are optional, got one with svc-demo.gov.idcard.initials',
    )
    const alone = 'svc-demo.fast.note.text'
    assert.is(loginAttributeOf(alone, withAttribute(schemes, alone)), parseAttributeTypeId(alone))
  },
)

Against('the private key of the issuer must be in its scheme, or in the folder of privkeys', async () => {
  const schemes = mkdtempSync(join(temporaryFolder(), 'schemes'))
  const scheme = join(schemes, 'svc-keyshare')
  cpSync(join(DEMO_SCHEMES, 'svc-keyshare'), scheme, { recursive: true })
  const privkeys = join(schemes, '.further')
  mkdirSync(privkeys)
  copyFileSync(join(scheme, 'keyshare/PrivateKeys/0.xml'), join(privkeys, 'svc-keyshare.keyshare.xml'))
  rmSync(join(scheme, 'keyshare/PrivateKeys'), { recursive: true })
  assert.is(
    await rejection(readSettings({ schemes_path: schemes })),
    'SettingsError: keyshare_attribute: expected a private key of svc-keyshare.keyshare, which issues svc-keyshare.keyshare.keyshare, in its scheme or in "privkeys", got none',
  )
  const { settings } = await readSettings({ schemes_path: schemes, privkeys })
  assert.is(settings.attribute, NEEDED.keyshare_attribute)
})
Against.run()
