/** The sessions that issue the login credential, without a server. */
import * as assert from 'uvu/assert'
import { firstRow } from '../../../actors/kinds/session.ts'
import type { NewSession } from '../../../actors/sessions.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { parseAttributeTypeId } from '../../../protocol/ids.ts'
import { loginSessions } from '../../../server/keyshare/login-sessions.ts'
import { rejection } from '../../faults/rejection.ts'
import { suite } from '../../suite.ts'
import { NEEDED, readSettings } from './node.ts'

const { settings } = await readSettings({ url: 'https://keyshare.example', profile: 'irma' })
const KEY_EXPIRED = Date.UTC(2047, 0)

function opening({ now = Date.UTC(2026, 0), isOverloaded = false, isFull = false, isFailing = false } = {}) {
  const opened: NewSession[] = []
  const prepare = loginSessions(parseAttributeTypeId(NEEDED.keyshare_attribute), {
    settings: settings.sessions,
    schemes: settings.sessions.schemes,
    random: systemRandomness,
    clock: createSimulatedClock(now),
    revocation: { canIssue: () => false },
    isOverloaded: () => isOverloaded,
    sessions: {
      async requireRoom() {
        if (isFull) throw new Error('no room')
      },
      async open(session) {
        if (isFailing) throw new Error('not stored')
        opened.push(session)
        return firstRow(session, now)
      },
    },
  })
  return { prepare, opened }
}

const Login = suite('sessions of the login credential (spec/keyshare-server#5)')

Login(
  'the pointer has the client token and the type of the session; no other token is returned',
  async () => {
    const { prepare, opened } = opening()
    const prepared = await prepare('oDl314isld0Z', false)
    assert.equal(opened, [], 'nothing is stored before the session is opened')
    const pointer = await prepared.open()
    const [session] = opened
    assert.equal(pointer, {
      u: `https://keyshare.example/irma/session/${session?.columns.clientToken}`,
      irmaqr: 'issuing',
    })
    assert.is(session?.columns.requestor, '')
    assert.equal([session?.hasCallback, session?.hasNextSession, session?.issues], [false, false, true])
  },
)

Login('while too many proofs wait, no session begins: 503', async () => {
  const { prepare, opened } = opening({ isOverloaded: true })
  assert.match(await rejection(prepare('oDl314isld0Z', true)), /^Overloaded/)
  assert.equal(opened, [])
})

Login('a credential that cannot be issued is 500 EXCEPTION, with the reason', async () => {
  const { prepare, opened } = opening({ now: KEY_EXPIRED })
  assert.match(await rejection(prepare('oDl314isld0Z', false)), /^ExceptionError: login credential: /)
  assert.equal(opened, [])
})

Login('other errors are passed on unchanged', async () => {
  assert.is(await rejection(opening({ isFull: true }).prepare('oDl314isld0Z', false)), 'Error: no room')
  const { open } = await opening({ isFailing: true }).prepare('oDl314isld0Z', false)
  assert.is(await rejection(open()), 'Error: not stored')
})

Login.run()
