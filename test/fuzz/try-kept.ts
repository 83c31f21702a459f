/** Runs the fuzz targets on the kept inputs. @module */
import { keptInputs } from './corpus.ts'
import { faultAlone } from './fuzz.ts'
import { Strays } from './strays.ts'
import type { Target } from './target.ts'

export type TriedKept = {
  /** number of inputs that were tried */
  readonly count: number
  readonly faults: readonly { readonly file: string; readonly fault: string }[]
}

/** @param targets kept inputs of other targets are left out */
export async function tryKept(targets: readonly Target[]): Promise<TriedKept> {
  const strays = new Strays()
  const faults: { file: string; fault: string }[] = []
  let count = 0
  try {
    for (const { file, target: name, input } of keptInputs()) {
      const target = targets.find(each => each.name === name)
      if (target === undefined) continue
      count += 1
      const fault = await faultAlone(target, input, strays)
      if (fault !== null) faults.push({ file, fault })
    }
  } finally {
    strays.close()
  }
  return { count, faults }
}
