/** The visitor's session in the store of express-session or @fastify/session, which have the same methods. Such a session is read when a request arrives, and
 *  written whole when it is answered. A call that waits for the session server in between would undo the changes of other calls: a logout, or another start. So
 *  the session is read again before it is changed. @module */

export type StoredSession = {
  /** False: the session is new, or has ended. */
  readonly isStored: () => Promise<boolean>
  /** Reads the values again, changes them and stores them. The changes of one visitor in this process are made one after the other.
   *  @param wasStored the session was stored when the call began
   *  @returns null: the session has ended meanwhile, and nothing was changed */
  readonly change: <Result>(
    wasStored: boolean,
    change: () => Result | Promise<Result>,
  ) => Promise<Result | null>
}

type Done = (error?: unknown, found?: unknown) => void
type Method = 'reload' | 'save' | 'destroy'
type RequestWithStore = {
  readonly sessionStore: { get(id: string, done: Done): unknown }
  /** another object after `reload` */
  readonly session: Readonly<Record<Method, (done: Done) => unknown>>
}

/** The last change of each session that is being changed, by the id of the session. */
const changes = new Map<string, Promise<unknown>>()

/** @param id of the session
 *  @param sent resolves after the answer, with which the framework stores the session again; left out: the framework does not store it again
 *  @returns null: sessions of this kind are in no store, such as those of cookie-session */
export function storedSessionOf(request: object, id: unknown, sent?: Promise<unknown>): StoredSession | null {
  if (typeof id !== 'string' || !('sessionStore' in request)) return null
  const { sessionStore } = request as RequestWithStore
  const isStored = async (): Promise<boolean> => Boolean(await answered(done => sessionStore.get(id, done)))
  const call = (method: Method): Promise<unknown> =>
    answered(done => (request as RequestWithStore).session[method](done))
  const change: StoredSession['change'] = (wasStored, work) =>
    inTurn(id, sent, async () => {
      if (await isStored()) await call('reload')
      else if (wasStored) {
        await call('destroy') // otherwise the framework stores it again
        return null
      }
      const result = await work()
      await call('save')
      return result
    })
  return { isStored, change }
}

async function inTurn<Result>(
  id: string,
  sent: Promise<unknown> | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const result = (changes.get(id) ?? Promise.resolve()).then(work)
  const turn = result.then(
    () => sent,
    () => sent,
  )
  changes.set(id, turn)
  void turn.then(() => changes.get(id) === turn && changes.delete(id))
  return result
}

function answered(call: (done: Done) => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    call((error, found) => (error ? reject(error) : resolve(found)))
  })
}
