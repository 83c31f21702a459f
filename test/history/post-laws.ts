/** The laws of the posts of a session. Its callback arrives, always with the same key and body, and is not repeated once the node has received the receiver's 2xx. @module */
import type { PostLine, SessionLine } from './lines.ts'
import type { Wellness } from './wellness.ts'

/** @param final status that the session ended with; null if it has not ended
 *  @returns violations, in words */
export function wrongPosts(
  session: SessionLine,
  posts: readonly PostLine[],
  final: string | null,
  wellness: Wellness,
): readonly string[] {
  const callbacks = posts.filter(({ what }) => what === 'callback')
  const asked = posts.filter(({ what }) => what === 'next')
  return [
    ...sameness('callback', callbacks),
    ...sameness('post for the next session', asked),
    ...arrival(session, callbacks, final),
    ...repetition(callbacks, wellness),
  ]
}

function sameness(title: string, posts: readonly PostLine[]): readonly string[] {
  const [keys, bodies] = [posts.map(({ key }) => key), posts.map(({ body }) => body)]
  const wrong: string[] = []
  if (new Set(keys).size > 1) wrong.push(`${title}: expected one key, got ${new Set(keys).size}`)
  if (new Set(bodies).size > 1) wrong.push(`${title}: expected one body, got ${new Set(bodies).size}`)
  if (keys.some(key => key === '')) wrong.push(`${title}: expected a key, got none`)
  return wrong
}

function arrival(
  { facts: { hasCallback } }: SessionLine,
  callbacks: readonly PostLine[],
  final: string | null,
): readonly string[] {
  if (!hasCallback) return callbacks.length === 0 ? [] : ['callback: expected none, since none was asked for']
  if (final === null) return [] // a callback that came too early shows in its status
  return callbacks.some(({ answered }) => answered === 'accepted')
    ? []
    : [`callback: expected one that is accepted, got ${callbacks.length} that were not`]
}

/** A node that received the acceptance must not post again. A node in trouble may have missed it, and may repeat the post. */
function repetition(callbacks: readonly PostLine[], wellness: Wellness): readonly string[] {
  const sorted = [...callbacks].sort((a, b) => a.at - b.at)
  const first = sorted.findIndex(({ answered }) => answered === 'accepted')
  const acceptedAt = sorted[first]?.at ?? 0
  const again = sorted.slice(first + 1).find(({ at }) => !wellness.isTroubled(acceptedAt, at))
  if (first < 0 || !again) return []
  return [`callback: expected no other once it was accepted, got one ${again.at - acceptedAt} ms later`]
}
