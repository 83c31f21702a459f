/** The data that inspectors of charts may see (docs/inspector.md). Every visible field of a fact or an event is listed here by name, with the form of its
 *  value. A field that is not listed, or that has another form, is not shown. Views are made from committed rows, so they never show data that is not stored.
 *  Values in, values out. @module */
import type { ChartName } from '../../charts/chart.ts'
import type { DeliveryContext } from '../../machines/delivery.ts'
import type { LoginContext } from '../../machines/login-facts.ts'
import type { SessionFacts } from '../../machines/session-facts.ts'

export type ShownValue = number | boolean | string | null | readonly number[]
export type ShownFields = { readonly [name: string]: ShownValue }

/** The form of a value that may be shown. */
type Form = (value: unknown) => value is ShownValue

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
const isWholeOrNull = (value: unknown): value is number | null => value === null || isWhole(value)
const isSwitch = (value: unknown): value is boolean => typeof value === 'boolean'
const areWhole = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length <= 100 && value.every(isWhole)
const isVersion = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && /^\d\.\d{1,2}$/.test(value))
const oneOf =
  (...words: readonly string[]): Form =>
  (value): value is string =>
    words.some(word => word === value)

const FACTS = {
  session: {
    deadlineAt: isWhole,
    timeoutMs: isWhole,
    connectedTimeoutMs: isWhole,
    retentionMs: isWhole,
    hasCallback: isSwitch,
    hasNextSession: isSwitch,
    issues: isSwitch,
    pairing: oneOf('none', 'pin'),
    protocolVersion: isVersion,
    isPaired: isSwitch,
    isFetched: isSwitch,
    claim: isWholeOrNull,
  } satisfies Readonly<Record<keyof SessionFacts, Form>>,
  delivery: {
    dueAt: isWhole,
    giveUpAt: isWhole,
    attempts: isWhole,
  } satisfies Readonly<Record<keyof DeliveryContext, Form>>,
  login: {
    attempts: isWhole,
    blockedUntil: isWhole,
    deleteAt: isWholeOrNull,
    isDeviceBound: isSwitch,
    comparing: areWhole,
    challengeEndsAt: isWholeOrNull,
    commitmentEndsAt: isWholeOrNull,
  } satisfies Readonly<Record<keyof LoginContext, Form>>,
} as const satisfies Readonly<Record<ChartName, Readonly<Record<string, Form>>>>

const EVENT_FIELDS: Readonly<Record<ChartName, Readonly<Record<string, Form>>>> = {
  session: {
    at: isWhole,
    method: oneOf('none', 'pin'),
    protocolVersion: isVersion,
    claim: isWhole,
    isValid: isSwitch,
  },
  delivery: { at: isWhole, attempt: isWhole },
  login: {
    at: isWhole,
    attempt: isWhole,
    isRightChallenge: isSwitch,
    isSignedByDevice: isSwitch,
    triesLeft: isWhole,
    version: oneOf('v1', 'v2'),
    deleteAt: isWhole,
  },
}

function fieldsOf(value: unknown, forms: Readonly<Record<string, Form>>): ShownFields {
  const given: Readonly<Record<string, unknown>> = { ...(typeof value === 'object' ? value : {}) }
  const shown: Record<string, ShownValue> = {}
  for (const [name, isOfForm] of Object.entries(forms)) {
    const field = given[name]
    if (isOfForm(field)) shown[name] = field
  }
  return shown
}

/** @param context of the chart, as stored */
export function shownFacts(chart: ChartName, context: unknown): ShownFields {
  return fieldsOf(context, FACTS[chart])
}

export type ShownEvent = { readonly type: string; readonly fields: ShownFields }

/** @param event as the chart received it: its name is one of the chart's own */
export function shownEvent(chart: ChartName, event: { readonly type: string }): ShownEvent {
  return { type: event.type, fields: fieldsOf(event, EVENT_FIELDS[chart]) }
}
