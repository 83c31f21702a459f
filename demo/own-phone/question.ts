/** The question of the tour to a real phone: an attribute of a scheme in the Yivi app, or one of the demo scheme. @module */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contextOf } from '../../protocol/contexts.ts'
import { parseAttributeTypeId, schemeOf } from '../../protocol/ids.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'

/** Attributes that the Yivi app may have. Any of them is accepted, because users of the app have different ones. */
const OF_APP = [
  'irma-demo.MijnOverheid.ageLower.over18',
  'irma-demo.sidn-pbdf.email.email',
  'pbdf.sidn-pbdf.email.email',
].map(parseAttributeTypeId)
const OF_DEMO = parseAttributeTypeId('svc-demo.gov.idcard.over18')

export type Question = {
  readonly schemes: Schemes
  /** the answer contains one of them */
  readonly attributes: readonly [typeof OF_DEMO, ...(typeof OF_DEMO)[]]
  /** they belong to schemes in the Yivi app */
  readonly isOfApp: boolean
}

/** @param folders of schemes; missing ones are skipped. The first one with an attribute for the Yivi app is used. If there is none, the first folder is used for
 *  the demo scheme.
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

/** The session request: one item, with each attribute as an alternative. */
export function requestOf({ attributes }: Question): object {
  return {
    '@context': contextOf(PROFILES.irma.contextBase, 'disclosing'),
    disclose: [attributes.map(attribute => [attribute])],
  }
}
