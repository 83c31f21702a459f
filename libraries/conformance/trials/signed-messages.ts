/** Signed messages (spec/interface#2.9). A message with another value of a member is refused. @module */
import { contextOf } from '../../../protocol/contexts.ts'
import { expectEqual, expectSame, expectText, NotTriedError } from '../expect.ts'
import { at, membersOf, type Path, put } from '../json.ts'
import { callOf, type Service } from '../service.ts'
import { toldOf, wrongAt } from './messages.ts'
import { BASE64, type Trial, type Trials } from './trial.ts'

/** Sends a signed message with another value of a member.
 *  @returns the answer, the result, and the status of the session */
async function signedWith(service: Service, path: Path, value: unknown) {
  const { session, status, told } = await toldOf(service, 'signing', body => put(body, path, value))
  const result = membersOf(await service.result(session))
  return { answer: [status, told, result.status], result }
}

async function leftOut(service: Service): Promise<void> {
  for (const [member, value, expected] of [
    ['nonce', undefined, 'UNMATCHED_REQUEST'],
    ['nonce', null, 'UNMATCHED_REQUEST'],
    ['context', undefined, 'UNMATCHED_REQUEST'],
    ['context', null, 'UNMATCHED_REQUEST'],
    ['indices', undefined, 'MISSING_ATTRIBUTES'],
    ['indices', null, 'MISSING_ATTRIBUTES'],
    ['indices', [null], 'MISSING_ATTRIBUTES'],
  ] as const) {
    const { answer, result } = await signedWith(service, [member], value)
    expectEqual(`answer without ${member}`, answer, [200, expected, 'DONE'])
    expectEqual(`${member} in the result`, at(result.signature, member), value ?? null)
    if (member !== 'indices') expectSame('nothing disclosed', result.disclosed, undefined)
  }
  if (at(await usualMessage(service), 'timestamp') === undefined) return
  for (const value of [undefined, null, {}]) {
    const { answer, result } = await signedWith(service, ['timestamp', 'Sig'], value)
    expectEqual('answer without Sig', answer, [200, 'INVALID_TIMESTAMP', 'DONE'])
    const sig = at(result.signature, 'timestamp', 'Sig')
    expectEqual('Sig in the result', sig, { Alg: '', Data: null, PublicKey: null })
  }
}

async function usualMessage(service: Service): Promise<unknown> {
  return callOf(await service.ordinary('signing'), 'POST', '/proofs').sent
}

/** Expects a member of the usual message to be so, and the server to refuse another value. */
const memberIs =
  (check: (message: unknown, service: Service, request: unknown) => void, wrong: Trial): Trial =>
  async service => {
    const played = await service.ordinary('signing')
    check(callOf(played, 'POST', '/proofs').sent, service, at(callOf(played, 'GET', '/').got, 'request'))
    await wrong(service)
  }

const PROOF_MEMBERS = ['A', 'a_disclosed', 'a_responses', 'c', 'e_response', 'v_response']

async function longNumbers(service: Service): Promise<void> {
  const longest = Buffer.alloc(32, 0xff)
  const long = Buffer.concat([Buffer.of(1), longest])
  for (const member of ['nonce', 'context']) {
    const most = await signedWith(service, [member], longest.toString('base64'))
    expectEqual(`a ${member} of 256 bits`, most.answer, [200, 'UNMATCHED_REQUEST', 'DONE'])
    const { answer, result } = await signedWith(service, [member], long.toString('base64'))
    expectEqual(`a ${member} of 257 bits`, answer, [400, 'MALFORMED_INPUT', 'CANCELLED'])
    const { signature, proofStatus } = result
    expectSame('no signature and no proofStatus', [signature, proofStatus], [undefined, undefined])
  }
}

const NO_STAMPS = 'the schemes name no timestamp server'

const stamped =
  (name: 'Time' | 'Alg' | 'Data' | 'PublicKey', wrong?: (value: unknown) => unknown): Trial =>
  async service => {
    const { sent } = callOf(await service.ordinary('signing'), 'POST', '/proofs')
    if (at(sent, 'timestamp') === undefined) throw new NotTriedError(NO_STAMPS)
    if (name === 'Alg') expectEqual('Alg', at(sent, 'timestamp', 'Sig', name), 'ed25519')
    else if (name !== 'Time') expectText(`${name} in`, at(sent, 'timestamp', 'Sig', name), BASE64)
    const path = name === 'Time' ? ['timestamp', name] : ['timestamp', 'Sig', name]
    await wrongAt('signing', path, wrong)(service)
  }

export const TRIALS_OF_SIGNED_MESSAGES: Trials = {
  '2.9 signed @context': memberIs(
    (message, { profile }) =>
      expectEqual('@context', at(message, '@context'), contextOf(profile.contextBase, 'signature')),
    wrongAt('signing', ['@context'], () => 'another'),
  ),
  '2.9 signed signature': memberIs(
    message =>
      expectEqual('members', Object.keys(membersOf(at(message, 'signature', 0))).sort(), PROOF_MEMBERS),
    wrongAt('signing', ['signature', 0, 'c']),
  ),
  '2.9 signed indices': memberIs(
    message => expectEqual('cred of the first index', at(message, 'indices', 0, 0, 'cred'), 0),
    wrongAt('signing', ['indices', 0, 0, 'attr'], () => 1),
  ),
  '2.9 signed nonce': memberIs(
    (message, _, request) =>
      expectSame('the nonce of the request', at(message, 'nonce'), at(request, 'nonce')),
    wrongAt('signing', ['nonce']),
  ),
  '2.9 signed context': memberIs(
    (message, _, request) =>
      expectSame('that of the request', at(message, 'context'), at(request, 'context')),
    wrongAt('signing', ['context'], () => 'Ag=='),
  ),
  '2.9 signed message': wrongAt('signing', ['message'], () => 'I agree to something else'),
  '2.9 signed members left out': leftOut,
  '2.9 signed long numbers': longNumbers,
  '2.9 signed timestamp Time': stamped('Time', time => Number(time) - 1),
  async '2.9 signed timestamp ServerUrl'(service) {
    const played = await service.ordinary('signing')
    const sent = at(callOf(played, 'POST', '/proofs').sent, 'timestamp', 'ServerUrl')
    if (sent === undefined) throw new NotTriedError(NO_STAMPS)
    const got = at(played.result, 'signature', 'timestamp', 'ServerUrl')
    expectText('the address of a timestamp server', got, /^https?:/)
  },
  '2.9 signed timestamp Sig Alg': stamped('Alg', () => 'another'),
  '2.9 signed timestamp Sig Data': stamped('Data'),
  '2.9 signed timestamp Sig PublicKey': stamped('PublicKey'),
}
