/** The schemes of a running server: those of its start, those that sessions began with, and those that come. @module */
import { hasServer } from '../../schemes/remote.ts'
import type { Schemes } from '../../schemes/types.ts'
import { createVersions, type Versions } from '../../schemes/versions.ts'
import type { OnClose } from '../closable.ts'
import type { World } from '../world.ts'
import { updateFigures } from './figures.ts'
import { SchemeUpdates, type UpdateSettings } from './scheme-updates.ts'
import { schemeThreads } from './threads.ts'

export type RunningSchemes = Versions & {
  /** Brings them up to date now, unless a look began in the last minute. Waits for it, but at most 1 s. */
  readonly lookAgain: () => Promise<void>
  /** @returns those that could not be brought up to date when they were last looked at */
  readonly failing: () => readonly string[]
  /** From now on they are brought up to date, where the settings say so and a scheme has a server. */
  readonly beginUpdates: () => void
}

/** @param settings null: the schemes of the start are all there ever are */
export function openSchemes(
  first: Schemes,
  settings: UpdateSettings | null,
  { clock, log, metrics }: Pick<World, 'clock' | 'log' | 'metrics'>,
  onClose: OnClose,
): RunningSchemes {
  const noteMissing = missingVersions(log)
  if (settings === null) {
    const lookAgain = async (): Promise<void> => {}
    const versions = createVersions(first, { readKept: async () => null, lookAgain, noteMissing })
    return { ...versions, lookAgain, failing: () => [], beginUpdates: () => {} }
  }
  const threads = schemeThreads(onClose)
  const { privateKeys } = settings
  const lookAgain = (): Promise<void> => updates.lookAgain()
  const versions = createVersions(first, {
    readKept: (folder, timestampSec) => threads.readKept({ folder, timestampSec, privateKeys }),
    lookAgain,
    noteMissing,
  })
  const isAsking = settings.everyMs > 0 && first.contents.some(({ scheme }) => hasServer(scheme.url))
  const figures = metrics && updateFigures(metrics.meter, clock, [...first.schemes.keys()])
  const updates: SchemeUpdates = new SchemeUpdates({ settings, versions, threads, clock, log, figures })
  onClose(() => updates.close())
  const beginUpdates = (): void => void (isAsking && updates.begin())
  return { ...versions, lookAgain, failing: () => updates.failing(), beginUpdates }
}

/** A line for each version. */
function missingVersions(log: World['log']): (scheme: string, signedAtSec: number) => void {
  const noted = new Set<string>()
  return (scheme, signedAtSec) => {
    const version = `${scheme}@${signedAtSec}`
    if (noted.has(version)) return
    noted.add(version)
    log.warn(
      { scheme, signedAtSec },
      'sessions began with a version of a scheme that this node does not have: they go on with the newest',
    )
  }
}
