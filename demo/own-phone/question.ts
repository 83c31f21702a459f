/** What the tour asks of a real phone: an attribute of a scheme that the Yivi app carries, or else one of the demo scheme. @module */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contextOf } from '../../protocol/contexts.ts'
import { parseAttributeTypeId, schemeOf } from '../../protocol/ids.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'

/** Attributes that the Yivi app may have. Any of them will do: people who try it have one or the other. */
const OF_APP = [
  'irma-demo.MijnOverheid.ageLower.over18',
  'irma-demo.sidn-pbdf.email.email',
  'pbdf.sidn-pbdf.email.email',
].map(parseAttributeTypeId)
const OF_DEMO = parseAttributeTypeId('svc-demo.gov.idcard.over18')

export type Question = {
  readonly schemes: Schemes
  /** one of them is asked */
  readonly attributes: readonly [typeof OF_DEMO, ...(typeof OF_DEMO)[]]
  /** they are of schemes that the Yivi app carries */
  readonly isOfApp: boolean
}

/** @param folders of schemes, of which the first counts that has what the app may have; one that is not there is passed over. Without any, the first one has the demo scheme.
 *  @throws {SchemeError} for schemes that do not load */
export async function questionFor(folders: readonly [string, ...string[]]): Promise<Question> {
  for (const folder of folders) {
    if (!OF_APP.some(attribute => existsSync(join(folder, schemeOf(attribute))))) continue
    const schemes = await loadSchemes(folder)
    const [first, ...others] = OF_APP.filter(attribute => schemes.attributeType(attribute))
    if (first !== undefined) return { schemes, attributes: [first, ...others], isOfApp: true }
  }
  return { schemes: await loadSchemes(folders[0]), attributes: [OF_DEMO], isOfApp: false }
}

/** The session request: one item, with each attribute by itself as a choice. */
export function requestOf({ attributes }: Question): object {
  return {
    '@context': contextOf(PROFILES.irma.contextBase, 'disclosing'),
    disclose: [attributes.map(attribute => [attribute])],
  }
}
