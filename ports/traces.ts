/** The trace of a request, as W3C Trace Context names it (https://www.w3.org/TR/trace-context/): an id that a caller sends with `traceparent`, that stands in each line of the
 *  log about its request, and that goes on to whomever this program calls for it. Nothing else of the caller is kept or sent on: neither `tracestate`, nor
 *  the id of its own span, nor an `X-Request-Id`. @module */
import { randomFillSync } from 'node:crypto'
import { pooledBytes } from './randomness.ts'

export type Trace = {
  /** 32 hexadecimal digits */
  readonly traceId: string
  /** 16 hexadecimal digits: of what this program does for one request, or by one call */
  readonly spanId: string
  /** 2 hexadecimal digits: whether the caller recorded the trace, and whether its id is random */
  readonly flags: string
}

export interface Traces {
  /** The trace that a request belongs to: that of its header, or a new one where there is none or none that is valid.
   *  @param header value of `traceparent`; empty: there is none */
  of(header: string): Trace
}

/** The version that is sent. Whatever a later version adds stands behind what this one has. */
const VERSION = '00'
const INVALID_VERSION = 'ff'
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** No id has zeros alone. */
const NONE = /^0+$/
/** The flags that are known: bit 0, recorded (level 1 of the recommendation); bit 1, the id is random (level 2). The others are not sent on. */
const KNOWN_FLAGS = 0b11
/** The flags of a trace that begins here: nobody recorded it, and its id is random. */
const OWN_FLAGS = '02'
const TRACE_BYTES = 16
const SPAN_BYTES = 8

/** @param bytes that many random ones; by default those of the system */
export function createTraces(bytes: (count: number) => Uint8Array = pooledBytes(randomFillSync)): Traces {
  const id = (count: number): string => Buffer.from(bytes(count)).toString('hex')
  return {
    of(header) {
      const { traceId = id(TRACE_BYTES), flags = OWN_FLAGS } = parsed(header) ?? {}
      return { traceId, flags, spanId: id(SPAN_BYTES) }
    },
  }
}

/** The value of `traceparent` that says that a call belongs to this span. */
export function traceparentOf({ traceId, spanId, flags }: Trace): string {
  return `${VERSION}-${traceId}-${spanId}-${flags}`
}

/** @returns null: it is not valid, and nothing of it counts */
function parsed(header: string): Pick<Trace, 'traceId' | 'flags'> | null {
  const [, version, traceId = '', parentId = '', flags = '', more] = TRACEPARENT.exec(header) ?? []
  if (version === undefined || version === INVALID_VERSION) return null
  if (version === VERSION && more !== undefined) return null
  if (NONE.test(traceId) || NONE.test(parentId)) return null
  const known = Number.parseInt(flags, 16) & KNOWN_FLAGS
  return { traceId, flags: known.toString(16).padStart(2, '0') }
}
