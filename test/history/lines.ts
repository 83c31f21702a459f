/** A history: every observation from outside of a service of one or more nodes, one line of JSON each. A line is written when its operation has ended, so
 *  the order of the lines has no meaning. Times do: they are Unix ms of one clock, that of the writer. Bodies are kept as digests. @module */

/** The party that makes a call. */
export type Party = 'requestor' | 'app' | 'frontend'

export type SessionFacts = {
  /** the longest stay in `INITIALIZED`, in `PAIRING` and `CONNECTED` each, and after the end */
  readonly timeoutMs: number
  readonly connectedTimeoutMs: number
  readonly retentionMs: number
  readonly hasCallback: boolean
  readonly hasNextSession: boolean
  readonly issues: boolean
}

/** A session that a client knows: from the answer to its creation, or from the pointer of a chain. A creation with an unknown outcome has no line. */
export type SessionLine = {
  readonly what: 'session'
  /** the name of the session in all other lines; not a token */
  readonly session: string
  /** the previous session of its chain; null if it was created by a call */
  readonly parent: string | null
  readonly facts: SessionFacts
  /** the session was created between these times: the call and its answer, or for a chain the first submission of its parent and the answer with the pointer */
  readonly begunAt: number
  readonly endedAt: number
}

/** The request. The wallet app knows if the `proofs` of its submission are right: `malformed` ones are refused before the check. */
export type RecordedRequest =
  | { readonly name: 'connect' | 'request' | 'delete' | 'status' | 'result' | 'pairingcompleted' }
  | { readonly name: 'submit'; readonly body: string; readonly proofs: 'VALID' | 'wrong' | 'malformed' }
  | { readonly name: 'options'; readonly method: 'none' | 'pin' }

/** The parts of an answer that are compared with the model. */
export type Answer = {
  readonly status: number
  /** type of the remote error; null if the answer is none */
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
  /** the pairing method in frontend options */
  readonly method?: string
  /** in the first answer to the app: true if the session waits for pairing */
  readonly isPairing?: boolean
}

/** A call about a session. */
export type CallLine = {
  readonly what: 'call'
  readonly session: string
  readonly by: Party
  readonly node: string
  readonly asked: RecordedRequest
  readonly begunAt: number
  readonly endedAt: number
  /** null if the connection was cut, so that it is unknown whether the call was or will be handled */
  readonly answer: Answer | null
}

export type StreamLine = {
  readonly what: 'stream'
  /** unique for each connection */
  readonly stream: string
  readonly session: string
  readonly by: Party
  readonly node: string
  /** the connection that this one resumes with its `Last-Event-ID`; null for a first connection */
  readonly resumes: string | null
  readonly begunAt: number
  /** time of the first bytes; null if none came */
  readonly openedAt: number | null
  /** of the answer; null if there was none */
  readonly status: number | null
  readonly events: readonly { readonly at: number; readonly status: string }[]
  readonly endedAt: number
  /** the stream was ended by the server, by a broken connection, or by its client, which had seen enough */
  readonly end: 'server' | 'cut' | 'client'
}

/** A callback, or the result that is posted to ask for the next session of a chain. */
export type PostLine = {
  readonly what: 'callback' | 'next'
  readonly session: string
  readonly at: number
  /** value of `Idempotency-Key` */
  readonly key: string
  readonly body: string
  readonly says: Said
  /** the reaction of the receiver: 2xx, another answer, or none */
  readonly answered: 'accepted' | 'refused' | 'cut'
}

/** A node is well while it runs, is not paused, and reaches its store. Each line changes that from its time on; before its first line a node is well. */
export type NodeLine = {
  readonly what: 'node'
  readonly node: string
  readonly at: number
  readonly isWell: boolean
  /** in words, for people */
  readonly why: string
}

/** The machine delayed work, without a fault that the test caused: a node logs that its store gave no answer, or the process of the test could not run. */
export type DelayLine = {
  readonly what: 'delay'
  readonly from: number
  readonly to: number
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
  /** null if the connection was cut */
  readonly answer: LoginAnswer | null
}

export type LoginAsked =
  | { readonly name: 'start' }
  /** `tokenAt`: the time at which the app got its token; omitted if unknown */
  | { readonly name: 'commitments' | 'response'; readonly tokenAt?: number }
  /** the answer to a challenge; `challenge` is its digest */
  | { readonly name: 'pin'; readonly isRight: boolean; readonly challenge: string }
  /** a change of the PIN to the same PIN, so that the test always knows it; `isRight`: the old PIN in the call was right */
  | { readonly name: 'change'; readonly isRight: boolean }
  /** the owner deletes the account */
  | { readonly name: 'delete' }

export type LoginAnswer = {
  readonly status: number
  /** type of the remote error; omitted if the answer is none, or if the type was not recorded */
  readonly error?: string
  /** digest of a value that must be unique: a challenge, P and Pcommit, or a response */
  readonly body: string
  /** digest of P, the same for one account at all times */
  readonly P?: string
  /** the outcome of an attempt, at a login or at a change of the PIN */
  readonly outcome?: 'right' | 'wrong' | 'blocked'
  /** tries left after a wrong PIN, or seconds until the end of a block */
  readonly number?: number
}

export type HistoryLine = SessionLine | CallLine | StreamLine | PostLine | NodeLine | DelayLine | LoginLine

export type History = readonly HistoryLine[]

/** @param text one line of JSON each */
export function readHistory(text: string): History {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as HistoryLine) // this project wrote the file
}
