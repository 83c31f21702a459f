/** Helpers for the tests of broken schemes: they make a valid scheme, break it, and expect the file and the reason. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type LoadOptions, loadSchemes } from '../../schemes/load.ts'
import { SchemeError } from '../../schemes/scheme-error.ts'
import { DEMO_SCHEMES } from '../project.ts'
import type { Suite } from '../suite.ts'
import { type MadeScheme, type MadeType, makeScheme, temporaryFolder } from './make-scheme.ts'

export const publicXml = readFileSync(join(DEMO_SCHEMES, 'svc-demo/fast/PublicKeys/0.xml'), 'utf8')
export const privateXml = readFileSync(join(DEMO_SCHEMES, 'svc-demo/fast/PrivateKeys/0.xml'), 'utf8')

const note: MadeType = { name: 'note', attributes: ['text'] }

/** Scheme `made`, issuer `fast`, credential type `note`. */
export const sound: MadeScheme = {
  id: 'made',
  issuers: [{ name: 'fast', keys: [{ counter: 0, public: publicXml }], types: [note] }],
}

/** The valid scheme with changed or additional signed files. */
export function replacing(files: NonNullable<MadeScheme['files']>): MadeScheme {
  return { ...sound, files }
}

/** The valid scheme with another credential type `note`. */
export function withType(type: Partial<MadeType>, isDemo = true): MadeScheme {
  const issuer = { name: 'fast', keys: [{ counter: 0, public: publicXml }], types: [{ ...note, ...type }] }
  return { id: 'made', isDemo, issuers: [issuer] }
}

export async function refusal(path: string, options: LoadOptions = {}): Promise<SchemeError> {
  try {
    await loadSchemes(path, options)
  } catch (error) {
    if (error instanceof SchemeError) return error
    throw error
  }
  throw new Error('expected a refusal, but the schemes were loaded')
}

type Refuses = (
  title: string,
  file: string,
  reason: RegExp,
  scheme: MadeScheme,
  spoil?: (folder: string) => Promise<unknown>,
) => void

/** Adds tests to a suite: each makes the scheme, breaks its folder and expects the refusal, with the file (below the scheme's folder)
 *  and the reason. */
export function refusals(suite: Suite): Refuses {
  return (title, file, reason, scheme, spoil) =>
    suite(`${title} is refused`, async () => {
      const parent = await temporaryFolder()
      try {
        const folder = await makeScheme(parent.path, scheme)
        await spoil?.(folder)
        const error = await refusal(parent.path)
        assert.is(error.file, join(folder, file))
        assert.match(error.reason, reason)
        assert.is(error.message, `${error.file}: ${error.reason}`)
      } finally {
        await parent.remove()
      }
    })
}
