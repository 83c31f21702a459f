/** The session result as it is posted to the requestor (spec/session-server#14 and #15): a new JWT each time if there is a key, otherwise JSON.
 *  @module */
import { writeJson } from '../protocol/json.ts'
import type { Profile } from '../protocol/profiles.ts'
import { type ResultFacts, resultToPost } from './result.ts'
import { type ResultSigner, signResult } from './result-jwt.ts'
import { JSON_TYPE } from './stored-answer.ts'

const JWT_TYPE = 'text/plain; charset=UTF-8'

type PostedFacts = ResultFacts & { readonly profile: Profile; readonly validitySec: number }

/** @param now Unix ms
 *  @returns it holds attribute values */
export async function resultMessage(
  facts: PostedFacts,
  signer: ResultSigner | null,
  now: number,
): Promise<{ readonly body: string; readonly contentType: string }> {
  const result = resultToPost(facts)
  if (signer === null) return { body: writeJson(result), contentType: JSON_TYPE }
  const { type, validitySec, profile } = facts
  const nowSec = Math.floor(now / 1_000)
  return {
    body: await signResult(result, { type, validitySec, nowSec, profile }, signer),
    contentType: JWT_TYPE,
  }
}
