/** A transition on one line, in UML notation: `server.checked [isCurrentClaim and isValid and issues] / sign`. @module */
import { conditionText, type Transition } from '../chart.ts'

export function causeText({ cause }: Transition): string {
  return cause.kind === 'delay' ? `after ${cause.name}` : cause.name
}

export function transitionText(transition: Transition): string {
  const { guard, effects } = transition
  const condition = guard === null ? '' : ` [${conditionText(guard)}]`
  return `${causeText(transition)}${condition}${effects.length > 0 ? ` / ${effects.join(', ')}` : ''}`
}
