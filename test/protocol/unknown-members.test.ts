/** Members of session requests that the server does not know (spec/interface#2.3, #2.6). @module */
import * as assert from 'uvu/assert'
import { unknownMembers } from '../../protocol/unknown-members.ts'
import { suite } from '../suite.ts'

const Unknown = suite('unknown members of session requests')
const REQUEST = { '@context': 'https://svc.example/ld/request/disclosure/v2', disclose: [] }

Unknown('every member of the specification is known, and so are members that the server overwrites', () => {
  const every = {
    ...REQUEST,
    labels: {},
    skipExpiryCheck: [],
    revocation: [],
    message: '',
    credentials: [],
    clientReturnUrl: '',
    augmentReturnUrl: false,
    host: '',
    type: 'disclosing',
    content: [],
    context: '',
    nonce: '',
    protocolVersion: '',
    devMode: true,
  }
  const options = { validity: 1, timeout: 1, callbackUrl: '', nextSession: { url: '' } }
  assert.equal(unknownMembers(every), [])
  assert.equal(unknownMembers({ ...options, request: every }), [])
})

Unknown('a misspelt name is reported with the names of the objects around it', () => {
  const json = { timout: 1, nextSession: { URL: '' }, request: { ...REQUEST, lables: {} } }
  assert.equal(unknownMembers(json), ['timout', 'nextSession.URL', 'request.lables'])
})

Unknown('an option in the wrong object is reported', () => {
  assert.equal(unknownMembers({ request: { ...REQUEST, callbackUrl: '' } }), ['request.callbackUrl'])
  assert.equal(unknownMembers({ ...REQUEST, timeout: 1, callbackUrl: '' }), ['timeout', 'callbackUrl'])
})

Unknown.run()
