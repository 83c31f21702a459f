/** Messages between wallet app and server (spec/interface#2.9). Each member of an app's message is tested by sending an invalid value in it: the server must refuse it.
 *  @module */
import { contextOf } from '../../../protocol/contexts.ts'
import type { SessionType } from '../../../protocol/request.ts'
import { expectEqual, expectSame, expectStatus, expectText, expectThat, NotTriedError } from '../expect.ts'
import { at, listOf, membersOf, type Path, put } from '../json.ts'
import { callOf, type Service } from '../service.ts'
import { changed } from './results.ts'
import { BASE64, type Trial, type Trials } from './trial.ts'

async function connection(service: Service, type: SessionType = 'disclosing'): Promise<unknown> {
  return callOf(await service.ordinary(type), 'GET', '/').got
}

async function withPairing(service: Service): Promise<unknown> {
  const session = await service.create()
  expectStatus('POST options', await service.turnOnPairing(session), 200)
  return (await service.connect(session)).json
}

/** Sends a message with one changed member. @returns the server's answer */
async function toldOf(service: Service, type: SessionType, tamper: (body: unknown) => unknown) {
  const session = await service.create(service.request(type))
  const played = await service.answer(session, { tamper })
  const { status, got } = callOf(played, 'POST', type === 'issuing' ? '/commitments' : '/proofs')
  return { session, status, got, told: at(got, 'proofStatus') ?? at(got, 'error') }
}

const wrongAt =
  (type: SessionType, path: Path, wrong: (value: unknown) => unknown = changed): Trial =>
  async service => {
    const place = path.join('.')
    const { told } = await toldOf(service, type, body => put(body, path, wrong(at(body, ...path))))
    expectThat(typeof told === 'string', `a proofStatus or an error where ${place} is wrong`, 'neither')
    expectThat(told !== 'VALID', `no VALID where ${place} is wrong`, told)
  }

const nothing = (): undefined => undefined

const CLIENT: Trials = {
  async '2.9 client @context'(service) {
    const expected = contextOf(service.profile.contextBase, 'client')
    expectEqual('@context', at(await connection(service), '@context'), expected)
  },
  async '2.9 client protocolVersion'(service) {
    expectEqual('protocolVersion', at(await connection(service), 'protocolVersion'), '2.8')
  },
  async '2.9 client options @context'(service) {
    const expected = contextOf(service.profile.contextBase, 'options')
    expectEqual('@context of options', at(await withPairing(service), 'options', '@context'), expected)
  },
  async '2.9 client options pairingMethod'(service) {
    expectEqual('pairingMethod', at(await withPairing(service), 'options', 'pairingMethod'), 'pin')
  },
  async '2.9 client options pairingCode'(service) {
    expectText('a code of', at(await withPairing(service), 'options', 'pairingCode'), /^[0-9]{4}$/)
  },
  async '2.9 client session request'(service) {
    const { id } = service.subject.attribute
    const plain = await connection(service)
    expectEqual('request', at(plain, 'request', 'disclose'), [[[id]]])
    const method = service.profile.optionsWithoutPairing === 'sent' ? 'none' : undefined
    expectSame('pairing method of the options without pairing', at(plain, 'options', 'pairingMethod'), method)
    expectSame('no request with pairing', at(await withPairing(service), 'request'), undefined)
  },
}

const DELIVERED: Trials = {
  async '2.9 delivered request'(service) {
    for (const type of ['disclosing', 'signing'] as const) {
      const { nonce, context, protocolVersion, devMode, ...rest } = membersOf(
        at(await connection(service, type), 'request'),
      )
      expectEqual(`what was asked for (${type})`, rest, service.request(type))
    }
  },
  async '2.9 nonce'(service) {
    const nonces = [await service.create(), await service.create()].map(async session =>
      at((await service.connect(session)).json, 'request', 'nonce'),
    )
    const [one, other] = await Promise.all(nonces)
    expectText('a nonce in', one, BASE64)
    expectThat(one !== other, 'another nonce in each session', 'the same')
  },
  async '2.9 context'(service) {
    expectEqual('context', at(await connection(service), 'request', 'context'), 'AQ==')
  },
  async '2.9 protocolVersion'(service) {
    expectEqual('protocolVersion', at(await connection(service), 'request', 'protocolVersion'), '2.8')
  },
  async '2.9 devMode'(service) {
    const devMode = at(await connection(service), 'request', 'devMode')
    expectThat(devMode === true || devMode === undefined, 'devMode: true, or left out', 'something else')
  },
}

const DISCLOSURE: Trials = {
  '2.9 proofs': wrongAt('disclosing', ['proofs'], proofs => [...listOf(proofs), ...listOf(proofs)].slice(2)),
  '2.9 proofs c': wrongAt('disclosing', ['proofs', 0, 'c']),
  '2.9 proofs A': wrongAt('disclosing', ['proofs', 0, 'A']),
  '2.9 proofs e_response': wrongAt('disclosing', ['proofs', 0, 'e_response']),
  '2.9 proofs v_response': wrongAt('disclosing', ['proofs', 0, 'v_response']),
  '2.9 proofs a_responses': wrongAt('disclosing', ['proofs', 0, 'a_responses', '0']),
  '2.9 proofs a_disclosed': wrongAt('disclosing', ['proofs', 0, 'a_disclosed'], disclosed =>
    Object.fromEntries(
      Object.entries(membersOf(disclosed)).map(([i, value]) => [i, i === '1' ? value : changed(value)]),
    ),
  ),
  '2.9 indices': wrongAt('disclosing', ['indices', 0, 0, 'attr'], () => 1),
  '2.9 index 1': wrongAt('disclosing', ['proofs', 0, 'a_disclosed', '1'], nothing),
  async '2.9 decoding'(service) {
    const played = await service.ordinary('disclosing')
    const { sent } = callOf(played, 'POST', '/proofs')
    const index = String(at(sent, 'indices', 0, 0, 'attr'))
    const encoded = Buffer.from(String(at(sent, 'proofs', 0, 'a_disclosed', index)), 'base64')
    const shifted = (BigInt(`0x${encoded.toString('hex')}`) >> 1n).toString(16)
    const text = Buffer.from(shifted.padStart(shifted.length + (shifted.length % 2), '0'), 'hex').toString()
    expectSame(
      'rawvalue: one bit to the right, then UTF-8',
      at(played.result, 'disclosed', 0, 0, 'rawvalue'),
      text,
    )
  },
}

async function leftOut(service: Service): Promise<void> {
  for (const [member, expected] of [
    ['nonce', 'UNMATCHED_REQUEST'],
    ['context', 'UNMATCHED_REQUEST'],
    ['indices', 'MISSING_ATTRIBUTES'],
  ] as const) {
    const { session, status, told } = await toldOf(service, 'signing', body => put(body, [member], undefined))
    expectEqual(`status and proofStatus without ${member}`, [status, told], [200, expected])
    const { signature } = membersOf(await service.result(session))
    expectEqual(`${member} in the result`, at(signature, member), null)
  }
}

async function longNumbers(service: Service): Promise<void> {
  const long = Buffer.concat([Buffer.of(1), Buffer.alloc(32, 0xff)]).toString('base64')
  for (const member of ['nonce', 'context']) {
    const { session, status, told } = await toldOf(service, 'signing', body => put(body, [member], long))
    expectEqual(`a ${member} of 257 bits`, [status, told], [400, 'MALFORMED_INPUT'])
    expectEqual('status', await service.status(session), 'CANCELLED')
  }
}

const NO_STAMPS = 'the schemes name no timestamp server'

const stamped =
  (name: 'Time' | 'Alg' | 'Data' | 'PublicKey', wrong?: (value: unknown) => unknown): Trial =>
  async service => {
    const { sent } = callOf(await service.ordinary('signing'), 'POST', '/proofs')
    if (at(sent, 'timestamp') === undefined) throw new NotTriedError(NO_STAMPS)
    const path = name === 'Time' ? ['timestamp', name] : ['timestamp', 'Sig', name]
    await wrongAt('signing', path, wrong)(service)
  }

const SIGNED: Trials = {
  '2.9 signed @context': wrongAt('signing', ['@context'], () => 'another'),
  '2.9 signed signature': wrongAt('signing', ['signature', 0, 'c']),
  '2.9 signed indices': wrongAt('signing', ['indices', 0, 0, 'attr'], () => 1),
  '2.9 signed nonce': wrongAt('signing', ['nonce']),
  '2.9 signed context': wrongAt('signing', ['context'], () => 'Ag=='),
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

async function combined(service: Service): Promise<void> {
  const disclose = [[[service.subject.attribute.id]]]
  const session = await service.create(service.request('issuing', { disclose }))
  const played = await service.answer(session, {
    tamper: body =>
      put(body, ['combinedProofs', 0, 'e_response'], changed(at(body, 'combinedProofs', 0, 'e_response'))),
  })
  const { got } = callOf(played, 'POST', '/commitments')
  expectEqual('proofStatus of a wrong disclosure', at(got, 'proofStatus'), 'INVALID')
  const right = await service.create(service.request('issuing', { disclose }))
  await service.answer(right)
  const { proofStatus, disclosed } = membersOf(await service.result(right))
  const told = [proofStatus, at(disclosed, 0, 0, 'id')]
  expectEqual('what a combined session comes to', told, ['VALID', service.subject.attribute.id])
}

const sigHas =
  (...path: Path): Trial =>
  async service => {
    const { got } = callOf(await service.ordinary('issuing'), 'POST', '/commitments')
    for (const sig of listOf(at(got, 'sigs'))) expectText(`${path.join(' ')} in`, at(sig, ...path), BASE64)
    expectEqual('sigs', listOf(at(got, 'sigs')).length, 1)
  }

/** Invalid commitments are answered without signatures. */
const wrongCommitment =
  (name: string): Trial =>
  async service => {
    const path = ['combinedProofs', 0, name]
    const { got, told } = await toldOf(service, 'issuing', body =>
      put(body, path, changed(at(body, ...path))),
    )
    expectThat(told !== 'VALID', `no VALID where ${path.join('.')} is wrong`, 'VALID')
    expectSame('no sigs then', at(got, 'sigs'), undefined)
  }

const ISSUANCE: Trials = {
  '2.9 combinedProofs U': wrongCommitment('U'),
  '2.9 combinedProofs c': wrongCommitment('c'),
  '2.9 combinedProofs v_prime_response': wrongCommitment('v_prime_response'),
  '2.9 combinedProofs s_response': wrongCommitment('s_response'),
  '2.9 combinedProofs of combined sessions': combined,
  async '2.9 n_2'(service) {
    const session = await service.create(service.request('issuing'))
    const { outcome } = await service.answer(session, {
      tamper: body => put(body, ['n_2'], changed(at(body, 'n_2'))),
    })
    const reason = outcome.status === 'failed' ? outcome.reason : outcome.status
    expectEqual('what the wallet says of a proof for another n_2', reason, 'wrong-credential')
  },
  async '2.9 response proofStatus'(service) {
    for (const [type, end] of [
      ['disclosing', '/proofs'],
      ['signing', '/proofs'],
      ['issuing', '/commitments'],
    ] as const) {
      const { got } = callOf(await service.ordinary(type), 'POST', end)
      expectEqual(`proofStatus (${type})`, at(got, 'proofStatus'), 'VALID')
    }
  },
  '2.9 response sigs signature A': sigHas('signature', 'A'),
  '2.9 response sigs signature e': sigHas('signature', 'e'),
  '2.9 response sigs signature v': sigHas('signature', 'v'),
  '2.9 response sigs proof c': sigHas('proof', 'c'),
  '2.9 response sigs proof e_response': sigHas('proof', 'e_response'),
  async '2.9 response sigs signature KeyshareP'(service) {
    const { got } = callOf(await service.ordinary('issuing'), 'POST', '/commitments')
    expectEqual('KeyshareP without a keyshare server', at(got, 'sigs', 0, 'signature', 'KeyshareP'), null)
  },
}

export const TRIALS_OF_MESSAGES: Trials = { ...CLIENT, ...DELIVERED, ...DISCLOSURE, ...SIGNED, ...ISSUANCE }
