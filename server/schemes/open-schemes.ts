/** The versions of schemes in a running server: those of its start, those that sessions began with, and newer ones. @module */
import { hasServer } from '../../schemes/remote.ts'
import type { Schemes } from '../../schemes/types.ts'
import { createVersions, type Versions } from '../../schemes/versions.ts'
import type { OnClose } from '../closable.ts'
import type { World } from '../world.ts'
import { updateFigures } from './figures.ts'
import { SchemeUpdates, type UpdateSettings } from './scheme-updates.ts'
import { schemeThreads } from './threads.ts'

export type RunningSchemes = Versions & {
  /** Updates the schemes now, unless an update began in the last minute. Waits for it, but at most 1 s. */
  readonly lookAgain: () => Promise<void>
  /** @returns the schemes whose last update failed */
  readonly failing: () => readonly string[]
  /** Begins the regular updates, if the settings ask for them and a scheme has a server. */
  readonly beginUpdates: () => void
}

/** @param settings null: the schemes never change after the start */
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

/** Logs one line for each version that this node does not have. */
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
