/** The parsers of a wallet app: pointers, answers of servers, and its own file. The same for event streams and whole submissions with their proofs. @module */

import {
  readChallengeAnswer,
  readCommitments,
  readPinAnswer,
  readPointerAnswer,
  readProofJwt,
  readPs,
  readToken,
} from '../../../libraries/wallet/keyshare/answers.ts'
import { readOffers } from '../../../libraries/wallet/offers.ts'
import { parseSessionPointer, readSessionPointer } from '../../../libraries/wallet/pointer.ts'
import {
  readConnection,
  readDelivered,
  readSubmissionAnswer,
} from '../../../libraries/wallet/server-messages.ts'
import { readContents, writeContents } from '../../../libraries/wallet/stored.ts'
import { eventsIn } from '../../../ports/event-stream.ts'
import { parseSchemeId } from '../../../protocol/ids.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { checkSubmission } from '../../../sessions/check-submission.ts'
import { schemes, submissions } from '../../sessions/submissions.ts'
import { answeredBy } from './keyshare.ts'
import type { Parser } from './parser.ts'
import { answeredBodies, bytesIn, got, posted } from './recorded.ts'

const { svc } = PROFILES
const connections = answeredBodies('svc', got(/^\/svc\/session\/\w+\/?$/))
const afterPairing = answeredBodies('svc', got(/\/request$/), ['pairing-disclosure', 'pairing-issuance'])
const answers = answeredBodies('svc', posted(/\/(?:proofs|commitments)$/))
const pointer = '{"u":"https://a.example/svc/session/abc","svcqr":"disclosing"}'
const scheme = schemes.scheme(parseSchemeId('svc-keyshare'))
const NOW = 1_795_261_850
const stored = writeContents({
  developerMode: true,
  secretKey: 5n,
  credentials: [],
  accounts: [{ scheme: parseSchemeId('svc-keyshare'), userName: 'a', profile: 'svc', isOutOfSync: false }],
})

async function eventsOf(text: string): Promise<void> {
  for await (const _ of eventsIn(ReadableStream.from([bytesIn(text)]), 10_000));
}

function schemeOfTest() {
  if (scheme === undefined) throw new Error('expected the scheme svc-keyshare')
  return scheme
}

export const ofWallet: readonly Parser[] = [
  {
    name: 'pointer',
    form: 'json',
    seeds: [
      pointer,
      `irma://qr/json/${encodeURIComponent(pointer)}`,
      '{"u":"http://a/","irmaqr":"redirect"}',
    ],
    read: parseSessionPointer,
  },
  {
    name: 'pointer of a chain',
    form: 'json',
    seeds: [pointer],
    read: text => readSessionPointer(jsonOf(text)),
  },
  {
    name: 'connection',
    form: 'json',
    seeds: connections,
    read: text => offered(readConnection(text, svc).request),
  },
  {
    name: 'delivered request',
    form: 'json',
    seeds: afterPairing,
    read: text => offered(readDelivered(text, svc)),
  },
  {
    name: 'answer to a submission',
    form: 'json',
    seeds: answers,
    read: text => readSubmissionAnswer(text, 1),
  },
  { name: 'answer of a registration', form: 'json', seeds: answeredBy(/register$/), read: readPointerAnswer },
  {
    name: 'answer of a login start',
    form: 'json',
    seeds: answeredBy(/verify_start$/),
    read: readChallengeAnswer,
  },
  {
    name: 'answer of a login',
    form: 'json',
    seeds: answeredBy(/pin_challengeresponse$/),
    read: readPinAnswer,
  },
  { name: 'answer with parts', form: 'json', seeds: answeredBy(/getPs$/), read: readPs },
  {
    name: 'answer with commitments',
    form: 'json',
    seeds: answeredBy(/getCommitments$/),
    read: readCommitments,
  },
  {
    name: 'JWT of a response',
    form: 'jwt',
    seeds: answeredBy(/getResponse$/).map(String),
    read: jwt => readProofJwt(jwt, schemeOfTest(), { challenge: 5n, version: 'v1' }),
  },
  {
    name: 'JWT of an authentication',
    form: 'jwt',
    seeds: answeredBy(/getResponse$/),
    read: jwt => readToken(jwt, schemeOfTest(), NOW),
  },
  {
    name: 'file of a wallet',
    form: 'json',
    seeds: [stored],
    read: text => readContents('wallet.json', text),
  },
  {
    name: 'event stream',
    form: 'text',
    seeds: ['event: open\n\ndata: "CONNECTED"\nid: DONE\n\n', ':\r\rdata:a\rdata:b\r\r'],
    read: eventsOf,
  },
]

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function offered(request: ReturnType<typeof readDelivered> | null): unknown {
  return request && readOffers(request.offered, schemes, NOW)
}

const SUBMISSIONS = [
  ...['transcripts/disclosure-1024', 'transcripts/signature-1024', 'transcripts/issuance-randomblind-last'],
  ...['transcripts/combined-two-and-two', 'keyshare/keyshare-combined', 'transcripts/revocation-1024'],
]

/** Submissions with the real arithmetic. A proof takes milliseconds, so these get fewer inputs. */
export const ofSubmissions: readonly Parser[] = SUBMISSIONS.flatMap(file => {
  const [submission] = submissions(file)
  if (submission === undefined) return []
  const { input, services } = submission
  return {
    name: `submission ${file.replace(/^.*\//, '')}`,
    form: 'json' as const,
    seeds: [input.body],
    read: (body: string) => checkSubmission({ ...input, body }, services),
  }
})
