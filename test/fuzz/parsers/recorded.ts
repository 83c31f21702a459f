/** Recorded texts, from which the mutations of parsers begin. @module */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProfileName } from '../../../protocol/profiles.ts'
import { DEMO_SCHEMES, PROJECT } from '../../project.ts'
import { bodyText, type Exchange, transcript } from '../../protocol/recorded.ts'

const SESSIONS = [
  ...[
    'disclosure-1024',
    'disclosure-labels-and-options',
    'disclosure-value-constrained',
    'disclosure-optional-filled',
  ],
  ...[
    'issuance-randomblind',
    'combined-two-and-two',
    'signature-with-timestamp',
    'legacy-request-disclosure-values',
  ],
  ...[
    'legacy-request-issuance',
    'legacy-request-signature',
    'revocation-1024',
    'chained-three',
    'pairing-disclosure',
  ],
]

type Chosen = (exchange: Exchange) => boolean

/** Bodies of requests in the recorded sessions. */
export function sentBodies(profile: ProfileName, isChosen: Chosen, names = SESSIONS): string[] {
  return names.flatMap(name =>
    transcript(name, profile)
      .exchanges.filter(isChosen)
      .map(({ request }) => bodyText(request))
      .filter(Boolean),
  )
}

/** Bodies of answers. */
export function answeredBodies(profile: ProfileName, isChosen: Chosen, names = SESSIONS): string[] {
  return names.flatMap(name =>
    transcript(name, profile)
      .exchanges.filter(isChosen)
      .flatMap(({ response }) => (response ? [bodyText(response)] : []))
      .filter(Boolean),
  )
}

export const posted =
  (end: RegExp): Chosen =>
  ({ request: { method, path } }) =>
    method === 'POST' && end.test(path)

export const got =
  (end: RegExp): Chosen =>
  ({ request: { method, path } }) =>
    method === 'GET' && end.test(path)

/** Files of the demo schemes whose paths below the schemes match, byte for byte as a text. */
export function schemeFiles(end: RegExp): string[] {
  return readdirSync(DEMO_SCHEMES, { recursive: true, encoding: 'utf8' })
    .filter(name => end.test(name))
    .sort()
    .slice(0, 12)
    .map(name => readFileSync(join(DEMO_SCHEMES, name), 'latin1'))
}

export function vectorFile(name: string): string {
  return readFileSync(join(PROJECT, 'test/vectors', name), 'latin1')
}

export const bytesIn = (input: string): Buffer => Buffer.from(input, 'latin1')
