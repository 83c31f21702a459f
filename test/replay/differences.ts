/** Exchanges that this server answers differently on purpose (test/vectors/differences.json). Each entry has the decision and our answer.
 *  @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProfileName } from '../../protocol/profiles.ts'
import { PROJECT } from '../project.ts'
import { type JsonText, readJsonText } from './json-text.ts'
import { answerInFormOf, inWordsOf } from './words-of-profile.ts'

export type Difference = {
  readonly file: string
  /** number of the exchange in the file */
  readonly exchange: number
  /** number or row of the decision */
  readonly decision: string
  /** the only profile in which we differ; null for both */
  readonly profile: ProfileName | null
  readonly answer: {
    /** 0 if the entry is about a call of the server, not an answer */
    readonly status: number
    /** type of a remote error */
    readonly error: string | null
    /** headers that differ from the recording; a content type goes with the body */
    readonly headers: Readonly<Record<string, string>>
    /** the body, byte for byte; null for none, or for a remote error */
    readonly text: string | null
    /** the claims of a signed result that is answered or posted for the next session; byte for byte */
    readonly claims: string | null
    /** the frames of an event stream that begins as recorded; null if there is no stream */
    readonly frames: readonly string[] | null
    /** true if the stream has not ended at the end of the transcript */
    readonly staysOpen: boolean
  }
}

type RawDifference = {
  file: string
  exchange: number
  decision: string
  profile?: ProfileName
  answer: {
    status?: number
    error?: string
    headers?: Record<string, string>
    frames?: string[]
    staysOpen?: boolean
  }
}

const known = new Map<ProfileName, readonly Difference[]>()

/** Reads the file once for each profile.
 *  @returns the differences in the profile, converted to the words of the profile */
export function readDifferences(profile: ProfileName): readonly Difference[] {
  const differences = known.get(profile) ?? read(profile)
  known.set(profile, differences)
  return differences
}

function read(profile: ProfileName): readonly Difference[] {
  const text = inWordsOf(profile, readFileSync(join(PROJECT, 'test/vectors/differences.json'), 'utf8'))
  const raw: RawDifference[] = JSON.parse(text)
  const texts = readJsonText(text).items
  return raw
    .map((each, i) => ({
      file: each.file,
      exchange: each.exchange,
      decision: each.decision,
      profile: each.profile ?? null,
      answer: {
        status: each.answer.status ?? 0,
        error: each.answer.error ?? null,
        headers: each.answer.headers ?? {},
        text: bodyOf(texts[i], profile),
        claims: memberOf(texts[i], 'claims'),
        frames: each.answer.frames ?? null,
        staysOpen: each.answer.staysOpen ?? false,
      },
    }))
    .filter(each => each.profile === null || each.profile === profile)
}

function bodyOf(difference: JsonText | undefined, profile: ProfileName): string | null {
  const text = memberOf(difference, 'body')
  return text === null ? null : answerInFormOf(profile, text)
}

function memberOf(difference: JsonText | undefined, name: string): string | null {
  return difference?.members.get('answer')?.members.get(name)?.text ?? null
}
