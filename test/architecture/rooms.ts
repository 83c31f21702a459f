/** The rooms of the house (docs/architecture.md), in the order of the arrows, and the folders around them. @module */
import { sourcesOf } from './imports.ts'

/** A room imports from the rooms before it. */
export const ORDER = [
  'ports',
  'crypto',
  'protocol',
  'schemes',
  'sessions',
  'accounts',
  'machines',
  'charts',
  'stores',
  'actors',
  'http',
  'server',
] as const

const AROUND = [
  'libraries/wallet',
  'libraries/client',
  'libraries/testing',
  'libraries/conformance',
  'demo',
  'cli',
  'tools/site',
  'tools/bench',
  'test',
] as const

export type Room = (typeof ORDER)[number] | (typeof AROUND)[number]

export const ALL_SOURCES: readonly string[] = [
  ...[...ORDER, ...AROUND].flatMap(sourcesOf),
  'libraries/index.ts',
  'libraries/client.ts',
  'libraries/client-on-node.ts',
  'libraries/verify.ts',
  'libraries/testing.ts',
]
