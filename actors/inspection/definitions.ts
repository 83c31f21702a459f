/** The charts as the Stately Inspector reads them: the configuration that XState was given, as JSON. What stands in it is known to everybody. @module */
import type { AnyStateMachine } from 'xstate'
import { deliveryChart } from '../../machines/delivery.ts'
import { loginChart } from '../../machines/keyshare-login.ts'
import { sessionChart } from '../../machines/session.ts'
import type { ChartName } from './shown.ts'

const DEFINITIONS: Readonly<Record<ChartName, string>> = {
  session: inJson(sessionChart),
  delivery: inJson(deliveryChart),
  login: inJson(loginChart),
}

/** @returns JSON */
export function definitionOf(chart: ChartName): string {
  return DEFINITIONS[chart]
}

/** A guard that is made of others is a function, of which only its words can be shown; the first context follows from an input. */
function inJson({ config }: AnyStateMachine): string {
  return JSON.stringify(config, (name, value) =>
    typeof value !== 'function' ? value : name === 'context' ? undefined : { type: wordsOf(value) },
  )
}

function wordsOf(guard: unknown): string {
  if (typeof guard === 'string') return guard
  const { guards, stateValue }: { readonly guards?: unknown; readonly stateValue?: unknown } = Object(guard)
  if (stateValue !== undefined) return `in ${JSON.stringify(stateValue)}`
  const words = Array.isArray(guards) ? guards.map(wordsOf) : []
  return words.length === 1 ? `not ${words[0]}` : words.join(' and ')
}
