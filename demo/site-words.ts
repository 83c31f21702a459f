/** The texts of each step's web site at the end of a session, and about the facts that it cannot know. @module */
import * as steps from './steps.ts'

/** Disclosed raw values by attribute type id. */
export type DisclosedValues = ReadonlyMap<string, string | null>

export type SiteText = { readonly isAccepted: boolean; readonly title: string; readonly text: string }

/** Texts for a session with valid proofs. */
export const DECISIONS: Readonly<Record<steps.SessionStep, (values: DisclosedValues) => SiteText>> = {
  cards: () =>
    accepted('Two cards for you', 'Their issuers have signed them. Only your phone can show them.'),
  login: values => accepted('You are logged in', `As student ${values.get(steps.STUDENT_NUMBER)}.`),
  either: values =>
    accepted(
      'You are logged in',
      values.has(steps.STUDENT_NUMBER)
        ? `As student ${values.get(steps.STUDENT_NUMBER)} of ${values.get(steps.UNIVERSITY)}. ${greeting(values)}`
        : `With identity card ${values.get(steps.DOCUMENT_NUMBER)}. ${greeting(values)}`,
    ),
  contract: values =>
    accepted(
      'The contract is signed',
      `By ${values.get(steps.INITIALS)} ${values.get(steps.FAMILY_NAME)}. Everybody who gets the signature can check it, later too.`,
    ),
  library: values =>
    accepted(
      'Here is your library card',
      `On your phone it is a Demo note, for a student of ${values.get(steps.UNIVERSITY)}. Nobody asked for your name.`,
    ),
  chain: values =>
    accepted(
      'Good luck in the raffle',
      `One wallet did both: it showed that it belongs to a ${values.get(steps.LEVEL)} student, and it has the ticket.`,
    ),
  revoked: values =>
    accepted(
      'You may set up your stall',
      `Permit for: ${values.get(steps.KIND)}. It has not been revoked: the session server has checked that too.`,
    ),
  mobile: values =>
    isAdult(values)
      ? accepted('Thank you, you are over 18', 'The bottle is yours. Your name stayed on your phone.')
      : refused('Not this bottle', 'Your card says that you are not over 18.'),
  twice: values =>
    isAdult(values)
      ? accepted('You are logged in', 'You are over 18, and we know nothing else. Now log in once more.')
      : refused('Not for you yet', 'Your card says that you are not over 18.'),
  pin: values =>
    accepted(
      'You are logged in',
      `As user ${values.get(steps.USER_NAME)}. Your PIN stayed on your phone: we cannot tell that there was one.`,
    ),
}

/** Text after the second of two logins. */
export const LOGGED_IN_AGAIN = accepted(
  'You are logged in again',
  'You are over 18, and we know nothing else.',
)

function isAdult(values: DisclosedValues): boolean {
  return values.get(steps.OVER_18)?.toLowerCase() === 'yes'
}

function accepted(title: string, text: string): SiteText {
  return { isAccepted: true, title, text }
}

function greeting(values: DisclosedValues): string {
  const name = values.get(steps.FAMILY_NAME)
  return name === undefined ? 'You kept your name to yourself.' : `Welcome, ${name}.`
}

/** Texts for facts that the site does not see, in addition to the other attributes of the used cards. */
export const UNSEEN: Readonly<Record<steps.SessionStep, readonly string[]>> = {
  cards: ['Where you will show these cards, and to whom', 'What else is in your wallet'],
  login: ['That you have other cards'],
  either: ['Whether you could have used the other card'],
  contract: ['That you have other cards'],
  library: ['Who you are', 'Where you will show the new card'],
  chain: ['The number on your ticket: your phone chose half of it', 'Who you are'],
  mobile: ['That you have other cards'],
  revoked: ['Where else you will show the permit', 'That you have other cards'],
  twice: ['Who you are', 'Whether you have been here before'],
  pin: ['Your PIN, or that there is one', 'That you have other cards'],
}

export type Course = {
  /** an earlier session of the chain disclosed attributes to the site */
  readonly hasSeen: boolean
  /** the web site itself cancelled the session */
  readonly isCancelledHere: boolean
}

export type End = {
  readonly status: string
  readonly proofStatus?: string | undefined
  readonly error?: unknown
}

/** Texts for a session without a result. */
export function wordsOfFailure(
  { status, proofStatus, error }: End,
  { hasSeen, isCancelledHere }: Course,
): SiteText {
  if (status === 'DONE')
    return refused('The proof does not hold', `The session server checked it: ${proofStatus}.`)
  if (status === 'TIMEOUT')
    return refused('That took too long', 'The session has ended. You can start again.')
  if (error !== undefined)
    return refused('Something went wrong', 'The session server ended the session. You can start again.')
  if (isCancelledHere) return hasSeen ? CANCELLED_HALF_WAY : CANCELLED_HERE
  return hasSeen
    ? refused('Stopped half way', 'The first session had been answered; the second one came to nothing.')
    : refused(
        'Stopped',
        'Nothing was shared. The site is not told whether somebody refused or could not answer.',
      )
}

const CANCELLED_HERE = refused(
  'Stopped on this web site',
  'You have pressed Cancel here, and nothing was shared. A phone that still answers is told that the session has ended.',
)
const CANCELLED_HALF_WAY = refused(
  'Stopped half way, on this web site',
  'You have pressed Cancel here after the first session had been answered; the second one came to nothing.',
)

/** Text for a permit that was already revoked. */
export const NOT_LET_IN = refused(
  'No stall without a permit that counts',
  'Nobody has shown one. The site is not told why: a revoked permit looks like no permit at all.',
)

function refused(title: string, text: string): SiteText {
  return { isAccepted: false, title, text }
}
