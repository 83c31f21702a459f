/** The descriptions of the endpoints of a keyshare server (spec/interface#4.5). @module */
import { KEYSHARE_ANSWERS, KEYSHARE_BODIES } from '../../protocol/wire/keyshare.ts'
import { json, type Operation, text } from './operation.ts'
import type { Schemas } from './schemas.ts'

const BARE = 'A JWT may also be the whole body.'
const LOGIN = json(KEYSHARE_ANSWERS.login)
const BY_USER = [403, 409]
const PROOF = text("A JWT (RS256) with the server's part of a proof in ProofP")

export function keyshareAccountOperations({ sessionPointer }: Schemas) {
  const pointer = json(sessionPointer)
  return {
    register: {
      summary: 'Registers a user: a session issues the login credential',
      description: `Claims: pin, email, language, publickey. ${BARE}`,
      body: KEYSHARE_BODIES.registration,
      answers: { 200: pointer },
      errors: [429, 500],
    },
    startLogin: {
      summary: 'A challenge for the device of a user',
      description: `Claims: id. ${BARE}`,
      body: KEYSHARE_BODIES.loginStart,
      answers: { 200: json(KEYSHARE_ANSWERS.challenge) },
      errors: BY_USER,
    },
    login: {
      summary: 'A login: the signed challenge, with the PIN',
      description: `Claims: id, pin, challenge. ${BARE}`,
      body: KEYSHARE_BODIES.login,
      answers: { 200: LOGIN },
      errors: BY_USER,
    },
    changePin: {
      summary: 'Changes the PIN; all earlier logins end',
      description: `Claims: id, oldpin, newpin. A repeat of the call gets the same answer for 90 s. ${BARE}`,
      body: KEYSHARE_BODIES.pinChange,
      answers: { 200: json(KEYSHARE_ANSWERS.pinChange) },
      errors: BY_USER,
    },
    renewLoginCredential: {
      summary: 'A session that issues the login credential again',
      answers: { 200: pointer },
      errors: [500],
    },
  } as const satisfies Record<string, Operation>
}

/** Logins without a device key, as in the previous protocol, and how they end. */
export function previousLoginOperations() {
  return {
    plainLogin: {
      summary: 'A login as in the previous protocol, for accounts without a device key',
      body: KEYSHARE_BODIES.plainLogin,
      answers: { 200: LOGIN },
      errors: BY_USER,
    },
    registerKey: {
      summary: 'Registers the device key of an account that has none, and logs in',
      description: `If the account already has a device key, the answer is 500. Claims: id, pin, publickey. ${BARE}`,
      body: KEYSHARE_BODIES.keyRegistration,
      answers: { 200: LOGIN },
      errors: [...BY_USER, 500],
    },
  } as const satisfies Record<string, Operation>
}

/** Both versions of the proofs. */
export function keyshareProofOperations() {
  return {
    commitments: {
      summary: 'P and a commitment for each issuer key',
      body: KEYSHARE_BODIES.keys,
      answers: { 200: json(KEYSHARE_ANSWERS.commitments) },
    },
    response: {
      summary: 'The answer to a challenge',
      body: KEYSHARE_BODIES.challenge,
      answers: { 200: PROOF },
      errors: [409],
    },
    publicParts: {
      summary: 'P for each issuer key',
      body: KEYSHARE_BODIES.keys,
      answers: { 200: json(KEYSHARE_ANSWERS.publicParts) },
      errors: [500],
    },
    hashedCommitments: {
      summary: 'A commitment for each issuer key, to an input that the app has committed to',
      body: KEYSHARE_BODIES.hashedCommitments,
      answers: { 200: json(KEYSHARE_ANSWERS.hashedCommitments) },
      errors: [500],
    },
    responseToInput: {
      summary: 'The answer of both halves to the challenge over that input',
      body: KEYSHARE_BODIES.response,
      answers: { 200: PROOF },
      errors: [409, 500],
    },
    linkableResponse: {
      summary: 'The answer of the server alone to that challenge',
      body: KEYSHARE_BODIES.response,
      answers: { 200: PROOF },
      errors: [409, 500],
    },
  } as const satisfies Record<string, Operation>
}
