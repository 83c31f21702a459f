/** Rows of sessions with an active claim on a submission, as input for effects, and the settings of the server. @module */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EffectSettings } from '../../actors/effects/create-effects.ts'
import type { EffectOutcome } from '../../actors/effects/effects.ts'
import { type Progress, storeProgress } from '../../actors/effects/progress.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequestText, storeRequest } from '../../protocol/request.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { acceptFacts } from '../../sessions/accept-facts.ts'
import { acceptRequest } from '../../sessions/accept-request.ts'
import type { Judgement } from '../../sessions/result.ts'
import type { ResultSigner } from '../../sessions/result-jwt.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { settingsOfTest } from '../server/node-of-test.ts'
import { sessionRow } from '../stores/rows.ts'
import type { FinalOutcome } from './node.ts'

export const NOW = Date.UTC(2026, 5, 1)
export const clock = { now: () => NOW, wallNow: () => NOW }
export const schemes = await loadSchemes(DEMO_SCHEMES)

/** The requestor of the sessions, with its own permissions. The permissions for all requestors are empty. */
export const SHOP = {
  name: 'shop',
  auth: { method: 'token', token: 'token-of-the-shop' },
  disclosePerms: ['svc-demo.gov.*'],
  signPerms: [],
  issuePerms: ['svc-demo.fast.note'],
  revokePerms: [],
  hostPerms: [],
} as const

export function settingsWith(changes: Partial<EffectSettings> = {}): EffectSettings {
  const permissions = { disclosePerms: [], signPerms: [], issuePerms: [], revokePerms: [], hostPerms: [] }
  const options = { url: 'https://server.example/', noAuth: false, requestors: [SHOP], permissions }
  return { ...settingsOfTest(options, schemes), ...changes }
}

const pem = readFileSync(join(PROJECT, 'test/vectors/keys/session-jwt.private.pem'), 'utf8')
export const SIGNER: ResultSigner = {
  issuer: 'svcserver',
  privateKey: createPrivateKey(pem),
  publicKeyPem: readFileSync(join(PROJECT, 'test/vectors/keys/session-jwt.public.pem'), 'utf8'),
}

const BASE = 'https://svc.example/ld/request'
export const DISCLOSING = {
  '@context': `${BASE}/disclosure/v2`,
  disclose: [[['svc-demo.gov.idcard.over18']]],
}
export const ISSUING = {
  '@context': `${BASE}/issuance/v2`,
  credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: 'hello' } }],
}

export const JUDGEMENT: Judgement = {
  proofStatus: 'VALID',
  disclosed: [
    [
      {
        rawvalue: 'yes',
        value: { '': 'yes', en: 'yes', nl: 'ja' },
        id: 'svc-demo.gov.idcard.over18' as never, // not parsed: the tests need only the text
        status: 'PRESENT',
        issuancetime: 1_779_926_400,
      },
    ],
  ],
}

/** A session of the shop for that request, with a claim in the given state and with the given progress. */
export function claimedSession(
  request: object,
  state: 'checking' | 'askingNext' | 'signing',
  progress: Partial<Progress> = {},
): SessionRow {
  const extended = parseSessionRequestText(JSON.stringify(request), PROFILES.svc)
  const settings = settingsWith()
  const accepted = acceptRequest(
    extended,
    { ...SHOP, issuePerms: ['*'] },
    acceptFacts({ schemes, clock, revocation: { canIssue: () => true }, settings }, settings.profile),
  )
  const hasNextSession = accepted.nextSession !== null
  const issues = accepted.request.type === 'issuing'
  return sessionRow('s', {
    version: 4,
    status: 'CONNECTED',
    chart: 2,
    snapshot: { value: { CONNECTED: state }, context: { protocolVersion: '2.8', hasNextSession, issues } },
    request: storeRequest(accepted),
    requestor: 'shop',
    progress: storeProgress({ judgement: JUDGEMENT, commitments: null, next: null, ...progress }),
  })
}

/** The part of an outcome that the gate writes if the chart requests no further effect. */
export function finalOutcome(outcome: EffectOutcome): FinalOutcome {
  const { event, columns, answer, opens } = outcome
  if (!columns || !answer) throw new Error('expected an outcome that can end a claim, got another')
  return { event, columns, answer, ...(opens && { opens }) }
}
