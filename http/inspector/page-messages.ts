/** The messages between the page of the inspector and its server: one JSON object in each frame of the WebSocket `ws://HOST/page?token=TOKEN`. The page finds the token
 *  behind the `#` of its own address (`http://127.0.0.1:PORT/#TOKEN`), so that no request for a file and no `Referer` has it. The lists follow the
 *  greeting, and then the events. A viewer changes nothing on the server except its own view and the recorded paths.
 *
 *  The window of the hosted Stately Inspector gets its messages from another feed, `ws://HOST/stately?token=TOKEN` (stately-messages.ts): the page opens that window with
 *  `window.open('https://stately.ai/inspect', 'xstateinspector')`, waits until it posts `{type: '@statelyai.connected'}`, then opens the feed and posts each frame,
 *  parsed, on to it (`postMessage(JSON.parse(data), origin of the window)`). The feed begins with a message `@xstate.actor` for each actor that is in memory. @module */
import type { Edge } from '../../actors/inspection/edges.ts'
import type { ShownList } from '../../actors/inspection/inspection.ts'
import type { KeptPath } from '../../actors/inspection/kept-paths.ts'
import type { ShownActor, ShownStep } from '../../actors/inspection/views.ts'
import type { ChartName } from '../../charts/chart.ts'
import { isObject, readBoolean, readString, readText, ShapeError, shapeError } from '../../protocol/shape.ts'

export type { Edge, KeptPath, ShownActor, ShownStep }

/** From the server to the page. */
export type PageMessage =
  /** first of all */
  | {
      readonly type: 'svc.hello'
      /** time of the server, Unix ms: times of actors are compared with it, not with the clock of the browser */
      readonly now: number
      /** the charts of this process, in the order of their lists */
      readonly charts: readonly ChartName[]
      /** the most actors of a list, and the most steps in a second */
      readonly bounds: { readonly listed: number; readonly stepsPerSec: number }
      /** the actors whose paths are kept, each as it was after the last step of its path. An actor that is no longer stored has the status `forgotten` */
      readonly kept: readonly ShownActor[]
    }
  /** one for each chart, at the beginning and whenever the page asks with `list`. With `actors.length < total` it is a sample: the newest. */
  | ({ readonly type: 'svc.list' } & ShownList)
  /** A step of an actor, once it is committed: the event, the edges that it took, and the actor after it. */
  | ({ readonly type: 'svc.step' } & ShownStep)
  /** An actor that is new or was closed, in a commit without a step of its chart; null: it was closed before, and is deleted now. */
  | {
      readonly type: 'svc.changed'
      readonly chart: ChartName
      readonly id: string
      readonly actor: ShownActor | null
    }
  /** so many steps and changes were not sent, because there were more than `stepsPerSec`: lists may be out of date */
  | { readonly type: 'svc.skipped'; readonly count: number }
  /** answer to `find` and `choose`; null: there is no such actor, neither in memory nor in the store */
  | { readonly type: 'svc.found'; readonly id: string; readonly actor: ShownActor | null }
  /** answer to `path` and `keep`; null: none is kept */
  | { readonly type: 'svc.path'; readonly id: string; readonly path: KeptPath | null }

/** From the page to the server. A frame that is none of these, or too long, ends the connection. */
export type ViewerMessage =
  /** The filter from now on. A member that is left out or empty excludes nothing. Lists are not filtered: the page does that. */
  | {
      readonly type: 'filter'
      readonly chart: string
      readonly status: string
      /** the whole name of the requestor; steps of actors without a requestor are then not sent */
      readonly requestor: string
    }
  /** the steps of this actor are sent regardless of the filter and the bound; an empty id chooses no actor */
  | { readonly type: 'choose'; readonly id: string }
  /** by the internal name: for a session, the first 32 hex digits of SHA-256 of its client token, which the page hashes (the token is never sent) */
  | { readonly type: 'find'; readonly id: string }
  /** the steps of this actor are kept from now on, or (`isOn` false) forgotten */
  | { readonly type: 'keep'; readonly id: string; readonly isOn: boolean }
  | { readonly type: 'path'; readonly id: string }
  | { readonly type: 'list' }

/** The longest name in a message: of a requestor, or of the row of a delivery. */
const MAX_NAME = 200
/** The longest frame of a viewer, in bytes. */
export const MAX_FRAME_BYTES = 2_048

/** @throws {ShapeError} */
export function readViewerMessage(text: string): ViewerMessage {
  const json = readText(text, { maxDepth: 2 })
  if (!isObject(json)) throw shapeError('message', 'an object', json)
  const name = (member: string): string => {
    const text = readString(json[member], member, MAX_NAME)
    if (text.includes('\0')) throw new ShapeError(`${member}: expected no character U+0000, got one`)
    return text
  }
  const type = name('type')
  switch (type) {
    case 'filter':
      return { type, chart: name('chart'), status: name('status'), requestor: name('requestor') }
    case 'keep':
      return { type, id: name('id'), isOn: readBoolean(json.isOn, 'isOn') }
    case 'choose':
    case 'find':
    case 'path':
      return { type, id: name('id') }
    case 'list':
      return { type }
    default:
      throw new ShapeError(`type: expected one of filter, choose, find, keep, path, list, got another`)
  }
}
