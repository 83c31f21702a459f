/** A named attack: the gain of an adversary, and a program that tries it over HTTP. @module */
import type { Service } from '../../libraries/conformance/service.ts'
import type { OwnServers } from './own-servers.ts'

export type Attack = {
  /** also the name of its file in `library/` */
  readonly name: string
  /** what the adversary gains if it succeeds */
  readonly gains: string
  /** the rule that it would break, as a citation */
  readonly cites: string
  /** true: it measures times, which a busy machine makes longer, so only `npm run attack` tries it */
  readonly isTimed?: true
} & (
  | {
      /** can be tried at any session server */
      readonly on: 'session server'
      /** @returns what was gained, without secrets; null: nothing */
      readonly run: (service: Service) => Promise<string | null>
    }
  | {
      /** starts servers of this project with settings of its own, or looks into their stores */
      readonly on: 'own servers'
      readonly run: (own: OwnServers) => Promise<string | null>
    }
)
