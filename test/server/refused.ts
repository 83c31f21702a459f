/** Settings that a server does not start with. @module */
import * as assert from 'uvu/assert'
import { SettingsError } from '../../server/settings/errors.ts'

/** @param message the whole text of the error, or a pattern that it matches */
export function refused(act: () => unknown, message: string | RegExp): void {
  assert.throws(act, (error: unknown) => {
    assert.instance(error, SettingsError)
    const got = error instanceof Error ? error.message : ''
    if (typeof message === 'string') assert.is(got, message)
    else assert.match(got, message)
    return true
  })
}
