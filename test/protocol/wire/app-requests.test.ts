/** The schema of the answer to the first GET accepts the output of the server (spec/interface#2.9), in both profiles. */
import * as assert from 'uvu/assert'
import { writeJson } from '../../../protocol/json.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { parseSessionRequest } from '../../../protocol/request.ts'
import { NOTHING_SENT } from '../../../protocol/sent-updates.ts'
import { clientSessionRequest } from '../../../protocol/session-request-for-app.ts'
import { parseVersion } from '../../../protocol/versions.ts'
import { appRequestSchemas } from '../../../protocol/wire/app-requests.ts'
import { suite } from '../../suite.ts'

const ToApp = suite('schemas of what wallet apps get')

for (const profile of Object.values(PROFILES))
  ToApp(`options are required where the server always sends them: profile ${profile.name}`, () => {
    const disclose = [[['svc-demo.gov.idcard.over18']]]
    const request = { '@context': `${profile.contextBase}/ld/request/disclosure/v2`, disclose }
    const facts = { nonce: 'AQ==', protocolVersion: parseVersion('2.8'), devMode: true, sent: NOTHING_SENT }
    const { clientSessionRequest: schema } = appRequestSchemas(profile)
    for (const pairingCode of [null, '0761']) {
      const answer = clientSessionRequest(parseSessionRequest(request, profile), {
        ...facts,
        profile,
        pairingCode,
      })
      assert.ok(schema.safeParse(JSON.parse(writeJson(answer))).success)
      const { options: _, ...bare } = JSON.parse(writeJson(answer))
      assert.is(schema.safeParse(bare).success, profile.name === 'svc')
    }
  })

ToApp.run()
