/** Examples of bodies and answers: those of recorded exchanges (test/vectors), in the words of the profile. @module */
import { contextOf } from '../../protocol/contexts.ts'
import type { Profile } from '../../protocol/profiles.ts'
import type { OperationName } from './operations.ts'

const CLIENT_TOKEN = 'wpBGIhCliZKTgZyWROuN'
const REQUESTOR_TOKEN = 'E3O3lSK8ReIfwFY6OhY6'
const OVER18 = 'svc-demo.gov.idcard.over18'

type Examples = { readonly Body?: unknown; readonly Answer?: unknown }

function examples({
  contextBase,
  prefix,
  pointerField,
  optionsWithoutPairing,
}: Profile): Partial<Record<OperationName, Examples>> {
  const u = `http://127.0.0.1:8188${prefix}/session/${CLIENT_TOKEN}`
  const options = { '@context': contextOf(contextBase, 'options'), pairingMethod: 'none' }
  const disclose = [[[OVER18]]]
  const request = {
    '@context': contextOf(contextBase, 'disclosing'),
    context: 'AQ==',
    nonce: 'l3cYkCyo6XBz5aIsRYKBQA==',
    protocolVersion: '2.8',
    devMode: true,
    disclose,
  }
  const value = { '': 'yes', en: 'yes', nl: 'yes' }
  const attribute = { rawvalue: 'yes', value, id: OVER18, status: 'PRESENT', issuancetime: 1795046400 }
  return {
    startSession: {
      Body: { '@context': contextOf(contextBase, 'disclosing'), disclose },
      Answer: {
        sessionPtr: { u, [pointerField]: 'disclosing' },
        token: REQUESTOR_TOKEN,
        frontendRequest: {
          authorization: 'qASaBtq07uVLKHhlHqzy',
          minProtocolVersion: '1.0',
          maxProtocolVersion: '1.1',
        },
      },
    },
    sessionStatus: { Answer: 'INITIALIZED' },
    sessionResult: {
      Answer: {
        token: REQUESTOR_TOKEN,
        status: 'DONE',
        type: 'disclosing',
        proofStatus: 'VALID',
        disclosed: [[attribute]],
      },
    },
    connect: {
      Answer: {
        '@context': contextOf(contextBase, 'client'),
        protocolVersion: '2.8',
        ...(optionsWithoutPairing === 'sent' && { options }),
        request,
      },
    },
    frontendOptions: {
      Body: { '@context': contextOf(contextBase, 'frontendOptions'), pairingMethod: 'none' },
      Answer: options,
    },
  }
}

export function exampleOf(operation: OperationName, what: string, profile: Profile): unknown {
  const known: Readonly<Record<string, unknown>> = examples(profile)[operation] ?? {}
  return known[what]
}
