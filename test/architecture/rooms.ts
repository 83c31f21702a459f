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

const AROUND = ['wallet', 'client', 'testing', 'conformance', 'demo', 'cli', 'site', 'bench', 'test'] as const

export type Room = (typeof ORDER)[number] | (typeof AROUND)[number]

export const ALL_SOURCES: readonly string[] = [
  ...[...ORDER, ...AROUND].flatMap(sourcesOf),
  'index.ts',
  'client.ts',
  'client-on-node.ts',
  'verify.ts',
  'testing.ts',
]
