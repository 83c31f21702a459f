/** What an open event stream keeps of the call that began it: it is open for long, there are many, and a call takes five times as much memory as the stream
 *  itself. Whether each line here still does its work is seen in `npm run bench -- streams` alone; without it the stream is the same. @module */
import type { Context } from 'koa'

/** @param ctx whose head has been written, and whose answer is the stream's own */
export function forgetRequest({ res }: Context): void {
  // the package by which Koa hears that an answer is over takes this event for it, too, and lets go of the call; nothing else listens to it
  res.emit('end')
  // Node keeps the head as a text in pieces and as lists, and looks only at whether there is one; while there seems to be none it can be emptied
  Reflect.set(res, '_header', null)
  for (const name of res.getHeaderNames()) res.removeHeader(name)
  Reflect.set(res, '_header', ' ')
}
