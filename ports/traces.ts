/** The trace of a request, by W3C Trace Context (https://www.w3.org/TR/trace-context/). The caller sends its id with `traceparent`. The id is in
 *  every log line about the request, and is sent with the calls that this program makes for it. Nothing else of the caller is kept or sent: not
 *  `tracestate`, not its span id, not an `X-Request-Id`. @module */
import { randomFillSync } from 'node:crypto'
import { pooledBytes } from './randomness.ts'

export type Trace = {
  /** 32 hexadecimal digits */
  readonly traceId: string
  /** 16 hexadecimal digits: the span of one request, or of one outgoing call */
  readonly spanId: string
  /** 2 hexadecimal digits: the caller recorded the trace, and its id is random */
  readonly flags: string
}

export interface Traces {
  /** The trace of a request: from its header, or a new one if the header is missing or invalid.
   *  @param header value of `traceparent`; empty: the header is missing */
  of(header: string): Trace
}

/** The version that is sent. A later version may only append fields. */
const VERSION = '00'
const INVALID_VERSION = 'ff'
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** An id is not valid if all its digits are zero. */
const NONE = /^0+$/
/** The known flags: bit 0, recorded (level 1 of the recommendation); bit 1, the id is random (level 2). Other flags are not sent on. */
const KNOWN_FLAGS = 0b11
/** The flags of a trace that begins here: it is not recorded, and its id is random. */
const OWN_FLAGS = '02'
const TRACE_BYTES = 16
const SPAN_BYTES = 8

/** @param bytes returns that many random bytes; by default those of the system */
export function createTraces(bytes: (count: number) => Uint8Array = pooledBytes(randomFillSync)): Traces {
  const id = (count: number): string => Buffer.from(bytes(count)).toString('hex')
  return {
    of(header) {
      const { traceId = id(TRACE_BYTES), flags = OWN_FLAGS } = parsed(header) ?? {}
      return { traceId, flags, spanId: id(SPAN_BYTES) }
    },
  }
}

/** The value of `traceparent` for a call that belongs to this span. */
export function traceparentOf({ traceId, spanId, flags }: Trace): string {
  return `${VERSION}-${traceId}-${spanId}-${flags}`
}

/** @returns null if the header is not valid */
function parsed(header: string): Pick<Trace, 'traceId' | 'flags'> | null {
  const [, version, traceId = '', parentId = '', flags = '', more] = TRACEPARENT.exec(header) ?? []
  if (version === undefined || version === INVALID_VERSION) return null
  if (version === VERSION && more !== undefined) return null
  if (NONE.test(traceId) || NONE.test(parentId)) return null
  const known = Number.parseInt(flags, 16) & KNOWN_FLAGS
  return { traceId, flags: known.toString(16).padStart(2, '0') }
}
