/** The end of a call, however it ends. @module */
import type { Context } from 'koa'

/** @param over called once: when the answer was sent, or when its connection closes, because an answer that stands behind another one says nothing then; at once
 *  if it has closed already */
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
