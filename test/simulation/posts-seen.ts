/** The posts that receivers of a simulation got, by the name of the session. @module */
import type { PostLine } from '../history/lines.ts'

type Post = Omit<PostLine, 'session'>

export class PostsSeen {
  readonly #write: (line: PostLine) => void
  /** names of sessions, by requestor token */
  readonly #sessions = new Map<string, string>()
  /** Posts of sessions whose creation is not answered yet, by requestor token: a session may end before the answer to its creation. */
  readonly #early = new Map<string, readonly Post[]>()

  constructor(write: (line: PostLine) => void) {
    this.#write = write
  }

  /** Links the requestor token to the name of the session. */
  noted(session: string, requestorToken: string): void {
    this.#sessions.set(requestorToken, session)
    for (const post of this.#early.get(requestorToken) ?? []) this.#write({ ...post, session })
    this.#early.delete(requestorToken)
  }

  seen(requestorToken: string, post: Post): void {
    const session = this.#sessions.get(requestorToken)
    if (session !== undefined) this.#write({ ...post, session })
    else this.#early.set(requestorToken, [...(this.#early.get(requestorToken) ?? []), post])
  }
}
