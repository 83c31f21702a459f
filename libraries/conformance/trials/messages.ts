/** Messages between wallet app and server (spec/interface#2.9), except signed messages. Each member of an app's message is sent with an invalid value, and the
 *  server must refuse that message. @module */
import { hash } from 'node:crypto'
import { contextOf } from '../../../protocol/contexts.ts'
import type { SessionType } from '../../../protocol/request.ts'
import { expectEqual, expectSame, expectStatus, expectText, expectThat } from '../expect.ts'
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
export async function toldOf(service: Service, type: SessionType, tamper: (body: unknown) => unknown) {
  const session = await service.create(service.request(type))
  const played = await service.answer(session, { tamper })
  const { status, got } = callOf(played, 'POST', type === 'issuing' ? '/commitments' : '/proofs')
  return { session, status, got, told: at(got, 'proofStatus') ?? at(got, 'error') }
}

export const wrongAt =
  (type: SessionType, path: Path, wrong: (value: unknown) => unknown = changed): Trial =>
  async service => {
    const place = path.join('.')
    const { told } = await toldOf(service, type, body => put(body, path, wrong(at(body, ...path))))
    expectThat(typeof told === 'string', `a proofStatus or an error where ${place} is wrong`, 'neither')
    expectThat(told !== 'VALID', `no VALID where ${place} is wrong`, told)
  }

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
    const options = membersOf(at(await withPairing(service), 'options'))
    expectEqual('pairingMethod', options.pairingMethod, 'pin')
    const members = Object.keys(options).sort()
    expectEqual('members of options', members, ['@context', 'pairingCode', 'pairingMethod'])
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
    const { options: _, ...rest } = membersOf(plain)
    const members = ['@context', 'protocolVersion', 'request']
    expectEqual('members beside options', Object.keys(rest).sort(), members)
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
    const session = await service.create(service.disclosure({ nothing: 'x' }))
    const { request } = membersOf((await service.connect(session)).json)
    expectSame('no member that the protocol does not have', at(request, 'nothing'), undefined)
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

/** The first proof of the usual disclosure, and the index of its requested attribute. */
async function firstProof(service: Service) {
  const { sent } = callOf(await service.ordinary('disclosing'), 'POST', '/proofs')
  return { proof: at(sent, 'proofs', 0), index: Number(at(sent, 'indices', 0, 0, 'attr')) }
}

/** Expects a number of a proof in Base64, and expects the server to refuse any other number. */
const numberOfProof = (name: 'c' | 'A' | 'e_response' | 'v_response'): Trial => {
  const wrong = wrongAt('disclosing', ['proofs', 0, name])
  return async service => {
    expectText(`${name} in`, at((await firstProof(service)).proof, name), BASE64)
    await wrong(service)
  }
}

/** Expects one proof for each credential, and an index for each attribute. */
async function proofsAndIndices(service: Service): Promise<void> {
  const { attribute, others } = service.subject
  const [other = attribute] = others
  const disclose = [[[attribute.id]], [[other.id]], [[attribute.id, other.id]]]
  const played = await service.answer(await service.create(service.disclosure({ disclose })))
  const { sent } = callOf(played, 'POST', '/proofs')
  expectEqual('proofs', listOf(at(sent, 'proofs')).length, 1)
  const [one, two] = [attribute, other].map(({ id }) => ({ cred: 0, attr: indexIn(service, id) }))
  expectEqual('indices', at(sent, 'indices'), [[one], [two], [one, two]])
}

/** The index of an attribute in its credential. Indices 0 and 1 are the secret key and the metadata. */
function indexIn({ wallet, subject }: Service, id: string): number {
  const { attributes = [] } = wallet.schemes.credentialType(subject.type) ?? {}
  return attributes.findIndex(each => each.id === id) + 2
}

async function hiddenAttributes(service: Service): Promise<void> {
  const { proof, index } = await firstProof(service)
  const { attributes = [] } = service.wallet.schemes.credentialType(service.subject.type) ?? {}
  const all = [0, ...attributes.map((_, i) => i + 2)].filter(each => each !== index)
  const hidden = Object.keys(membersOf(at(proof, 'a_responses')))
  expectEqual('indices of a_responses', hidden, all.map(String))
  expectEqual('indices of a_disclosed', Object.keys(membersOf(at(proof, 'a_disclosed'))), [
    '1',
    String(index),
  ])
}

async function metadata(service: Service): Promise<void> {
  const { proof } = await firstProof(service)
  const encoded = Buffer.from(String(at(proof, 'a_disclosed', '1')), 'base64').toString('hex')
  const type = hash('sha256', service.subject.type, 'hex').slice(0, 32)
  expectThat(encoded.endsWith(type), 'metadata that end in the hash of the type', 'others')
  const { told } = await toldOf(service, 'disclosing', body =>
    put(body, ['proofs', 0, 'a_disclosed', '1'], undefined),
  )
  expectEqual('proofStatus without metadata', told, 'INVALID')
}

const both =
  (...trials: readonly Trial[]): Trial =>
  async service => {
    for (const trial of trials) await trial(service)
  }

const DISCLOSURE: Trials = {
  '2.9 proofs': both(
    proofsAndIndices,
    wrongAt('disclosing', ['proofs'], proofs => [...listOf(proofs), ...listOf(proofs)].slice(2)),
  ),
  '2.9 proofs c': numberOfProof('c'),
  '2.9 proofs A': numberOfProof('A'),
  '2.9 proofs e_response': numberOfProof('e_response'),
  '2.9 proofs v_response': numberOfProof('v_response'),
  '2.9 proofs a_responses': both(hiddenAttributes, wrongAt('disclosing', ['proofs', 0, 'a_responses', '0'])),
  '2.9 proofs a_disclosed': wrongAt('disclosing', ['proofs', 0, 'a_disclosed'], disclosed =>
    Object.fromEntries(
      Object.entries(membersOf(disclosed)).map(([i, value]) => [i, i === '1' ? value : changed(value)]),
    ),
  ),
  '2.9 indices': wrongAt('disclosing', ['indices', 0, 0, 'attr'], () => 1),
  '2.9 index 1': metadata,
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

async function combined(service: Service): Promise<void> {
  const disclose = [[[service.subject.attribute.id]]]
  const session = await service.create(service.request('issuing', { disclose }))
  const played = await service.answer(session, {
    tamper: body =>
      put(body, ['combinedProofs', 0, 'e_response'], changed(at(body, 'combinedProofs', 0, 'e_response'))),
  })
  const { got } = callOf(played, 'POST', '/commitments')
  expectEqual('proofStatus of a wrong disclosure', at(got, 'proofStatus'), 'INVALID')
  const credentials = [service.credential(), service.credential()]
  const right = await service.create(service.request('issuing', { disclose, credentials }))
  const { sent } = callOf(await service.answer(right), 'POST', '/commitments')
  const [first, ...commitments] = listOf(at(sent, 'combinedProofs'))
  expectEqual('commitments after the disclosure proof', commitments.length, 2)
  expectText('A of the disclosure proof in', at(first, 'A'), BASE64)
  for (const name of ['U', 'c', 'v_prime_response', 's_response'])
    for (const each of commitments) expectText(`${name} in`, at(each, name), BASE64)
  const { proofStatus, disclosed } = membersOf(await service.result(right))
  const told = [proofStatus, at(disclosed, 0, 0, 'id')]
  expectEqual('the outcome of a combined session', told, ['VALID', service.subject.attribute.id])
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
    const { got } = await toldOf(service, 'issuing', body => put(body, path, changed(at(body, ...path))))
    expectEqual(`answer where ${path.join('.')} is wrong`, got, { proofStatus: 'INVALID' })
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
    expectEqual('the reason for which the wallet refuses a proof for another n_2', reason, 'wrong-credential')
    const usual = await service.ordinary('issuing')
    const other = await service.answer(await service.create(service.request('issuing')))
    const nonces = [usual, other].map(each => at(callOf(each, 'POST', '/commitments').sent, 'n_2'))
    for (const nonce of nonces) expectText('n_2 in', nonce, BASE64)
    expectThat(nonces[0] !== nonces[1], 'another n_2 in each session', 'the same')
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

export const TRIALS_OF_MESSAGES: Trials = { ...CLIENT, ...DELIVERED, ...DISCLOSURE, ...ISSUANCE }
