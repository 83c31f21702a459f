/** A history: everything that was seen from outside of a service of one or more nodes, a line of JSON each. A line is written when what it tells of is over, so that
 *  the order of the lines means nothing: times do, in Unix ms of one clock, that of whoever writes. A body stands as a digest. @module */

/** Who makes calls. */
export type Party = 'requestor' | 'app' | 'frontend'

export type SessionFacts = {
  /** the longest stay in `INITIALIZED`, and in `PAIRING` and `CONNECTED` each, and after the end */
  readonly timeoutMs: number
  readonly connectedTimeoutMs: number
  readonly retentionMs: number
  readonly hasCallback: boolean
  readonly hasNextSession: boolean
  readonly issues: boolean
}

/** A session that somebody was told of: by the answer to its creation, or by the pointer of a chain. A creation whose outcome is unknown has no line. */
export type SessionLine = {
  readonly what: 'session'
  /** the name by which the other lines call it; no token */
  readonly session: string
  /** the session before it in its chain; null: it was created by a call */
  readonly parent: string | null
  readonly facts: SessionFacts
  /** it was created between these: the call and its answer, or for a chain the first submission of its parent and the answer with the pointer */
  readonly begunAt: number
  readonly endedAt: number
}

/** What was asked. `proofs` of a submission is what the wallet app knows of it: `malformed` is refused before it is checked. */
export type Asked =
  | { readonly name: 'connect' | 'request' | 'delete' | 'status' | 'result' | 'pairingcompleted' }
  | { readonly name: 'submit'; readonly body: string; readonly proofs: 'VALID' | 'wrong' | 'malformed' }
  | { readonly name: 'options'; readonly method: 'none' | 'pin' }

/** What an answer says, as far as it is held against the model. */
export type Answer = {
  readonly status: number
  /** type of the remote error; null: it is none */
  readonly error: string | null
  /** digest of the bytes */
  readonly body: string
  readonly says: Said
}

export type Said = {
  /** status of the session */
  readonly status?: string
  readonly proofStatus?: string
  /** digest of the pointer to the next session */
  readonly next?: string
  /** the pairing method, of frontend options */
  readonly method?: string
  /** the first answer to the app: the session waits for pairing */
  readonly isPairing?: boolean
}

/** A call about a session. */
export type CallLine = {
  readonly what: 'call'
  readonly session: string
  readonly by: Party
  readonly node: string
  readonly asked: Asked
  readonly begunAt: number
  readonly endedAt: number
  /** null: it was cut, so that nobody knows whether it was handled, or will be */
  readonly answer: Answer | null
}

export type StreamLine = {
  readonly what: 'stream'
  /** one of its own for each connection */
  readonly stream: string
  readonly session: string
  readonly by: Party
  readonly node: string
  /** the connection that this one goes on from, with its `Last-Event-ID`; null: it begins anew */
  readonly resumes: string | null
  readonly begunAt: number
  /** when the first bytes came; null: none */
  readonly openedAt: number | null
  /** of the answer; null: none */
  readonly status: number | null
  readonly events: readonly { readonly at: number; readonly status: string }[]
  readonly endedAt: number
  /** by the server, by a broken connection, or by its client, who had seen enough */
  readonly end: 'server' | 'cut' | 'client'
}

/** A callback, or the result that is posted for the next session of a chain. */
export type PostLine = {
  readonly what: 'callback' | 'next'
  readonly session: string
  readonly at: number
  /** value of `Idempotency-Key` */
  readonly key: string
  readonly body: string
  readonly says: Said
  /** what the receiver did: 2xx, another answer, or none */
  readonly answered: 'accepted' | 'refused' | 'cut'
}

/** A node is well while it runs, is not stopped, and reaches its store. It is well until a line says something else, and again from the line on that says so. */
export type NodeLine = {
  readonly what: 'node'
  readonly node: string
  readonly at: number
  readonly isWell: boolean
  /** in words, for people */
  readonly why: string
}

/** A call about an account of a keyshare server. */
export type LoginLine = {
  readonly what: 'login'
  readonly account: string
  readonly node: string
  readonly asked: LoginAsked
  readonly begunAt: number
  readonly endedAt: number
  /** null: it was cut */
  readonly answer: LoginAnswer | null
}

export type LoginAsked =
  | { readonly name: 'start' }
  /** `tokenAt`: when the app was told its token; left out: nobody knows */
  | { readonly name: 'commitments' | 'response'; readonly tokenAt?: number }
  /** the answer to a challenge; `challenge` is its digest */
  | { readonly name: 'pin'; readonly isRight: boolean; readonly challenge: string }
  /** to the same PIN, so that everybody knows it at all times; `isRight`: the old one */
  | { readonly name: 'change'; readonly isRight: boolean }
  /** the owner deletes the account */
  | { readonly name: 'delete' }

export type LoginAnswer = {
  readonly status: number
  /** type of the remote error; left out: it is none, or nobody has kept it */
  readonly error?: string
  /** digest of what must be there once: a challenge, P and Pcommit, or a response */
  readonly body: string
  /** digest of P, the same for one account at all times */
  readonly P?: string
  /** the outcome of an attempt, at a login or at a change of the PIN */
  readonly outcome?: 'right' | 'wrong' | 'blocked'
  /** tries left of a wrong one, seconds until the end of a block */
  readonly number?: number
}

export type HistoryLine = SessionLine | CallLine | StreamLine | PostLine | NodeLine | LoginLine

export type History = readonly HistoryLine[]

/** @param text a line each */
export function readHistory(text: string): History {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as HistoryLine) // whoever wrote it is this project
}
