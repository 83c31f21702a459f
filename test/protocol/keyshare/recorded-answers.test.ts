import * as assert from 'uvu/assert'
import { fromBase64 } from '../../../crypto/bytes.ts'
import { writeJson } from '../../../protocol/json.ts'
import {
  commitments,
  hashedCommitments,
  loginChallenge,
  loginSucceeded,
  pinChanged,
  pinRefused,
  publicParts,
} from '../../../protocol/keyshare/answers.ts'
import { parsePublicKeyId } from '../../../protocol/keyshare/public-key-ids.ts'
import { RECORDED_CALLS } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'

const Answers = suite('recorded answers of a keyshare server, written again')

type Numbers = { readonly P: string; readonly Pcommit: string }
const keysOf = <Value>(
  map: Readonly<Record<string, Value>>,
): [ReturnType<typeof parsePublicKeyId>, Value][] =>
  Object.entries(map).map(([id, value]) => [parsePublicKeyId(id), value])

Answers('every recorded answer is written again to the byte', () => {
  const written = RECORDED_CALLS.filter(({ status }) => status === 200).flatMap(({ path, answer }) => {
    if (path.endsWith('/verify_start')) {
      const { challenge } = JSON.parse(answer) as { challenge: string }
      return [[writeJson(loginChallenge(Buffer.from(challenge, 'base64'))), answer]]
    }
    if (/\/(pin_challengeresponse|pin)$/.test(path)) {
      const { status, message } = JSON.parse(answer) as { status: string; message: string }
      if (status === 'failure')
        return [[writeJson(pinRefused({ status, triesLeft: Number(message) })), answer]]
      if (status === 'error') return [[writeJson(pinRefused({ status, waitSec: Number(message) })), answer]]
      const right = path.endsWith('/change/pin') ? pinChanged('plural') : loginSucceeded(message, 'plural')
      return [[writeJson(right), answer]]
    }
    if (path === '/api/v2/prove/getCommitments') {
      const { c } = JSON.parse(answer) as { c: Record<string, string> }
      const list = keysOf(c).map(([key, Pcommit]) => ({ key, Pcommit: fromBase64(Pcommit) }))
      return [[writeJson(hashedCommitments(list.reverse())), answer]]
    }
    if (path.endsWith('/getCommitments')) {
      const { c } = JSON.parse(answer) as { c: Record<string, Numbers> }
      const list = keysOf(c).map(([key, { P, Pcommit }]) => ({
        key,
        P: fromBase64(P),
        Pcommit: fromBase64(Pcommit),
      }))
      return [[writeJson(commitments(list.reverse())), answer]]
    }
    if (!path.endsWith('/getPs')) return []
    const { ps } = JSON.parse(answer) as { ps: Record<string, string> }
    const list = keysOf(ps).map(([key, P]) => ({ key, P: fromBase64(P) }))
    return [[writeJson(publicParts(list.reverse())), answer]]
  })
  assert.ok(written.length > 100, String(written.length))
  for (const [ours, recorded] of written) assert.is(ours, recorded)
})

Answers.run()
