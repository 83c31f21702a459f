/** The warnings at the start of an OpenID provider. */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { neededOptions, readSettings } from './node.ts'

const Warnings = suite('svc oidc: warnings')

Warnings(
  'in production, claims and subjects of a demo scheme have a warning: every person can make them',
  async () => {
    const { warnings } = await readSettings({
      production: true,
      store: 'sqlite:none',
      url: 'https://sign-in.example/',
    })
    const why = 'because the private keys of its demo scheme are public'
    for (const line of [
      `claims.over18: every person can make svc-demo.gov.idcard.over18, ${why}`,
      `subject: every person can make ${neededOptions().subject.attribute}, ${why}`,
    ])
      assert.ok(warnings.includes(line), line)
  },
)

Warnings.run()
