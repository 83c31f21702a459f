/** The end of a call: its answer was sent, or its connection is gone. @module */
import type { Context } from 'koa'

/** Listens to both, because an answer queued behind another one does not report that its connection closes.
 *  @param over called once; at once if the connection is gone already */
export function whenOver({ req: { socket }, res }: Pick<Context, 'req' | 'res'>, over: () => void): void {
  const end = (): void => {
    socket.off('close', end)
    res.off('close', end)
    over()
  }
  if (socket.destroyed) end()
  else {
    socket.on('close', end)
    res.on('close', end)
  }
}
