/** The option `subject`: an attribute with a file of salt, or random subjects. @module */
import { isCredentialTypeId } from '../../../protocol/ids.ts'
import type { SubjectRule } from '../../../sessions/sign-in/rules.ts'
import { contentOf } from '../checks.ts'
import { type Refusals, SettingsError } from '../errors.ts'
import { type AttributeFacts, knownAttribute } from './attributes.ts'
import { isObject, kindOf, MemberReader } from './member-reader.ts'

/** The salt must not be guessed: with it, subjects of guessed attributes can be compared with real ones. */
const LEAST_SALT_BYTES = 32

const RANDOM: SubjectRule = { type: 'random' }

/** @returns random subjects if the option is refused */
export function readSubject(
  given: unknown,
  facts: AttributeFacts & { readonly refusals: Refusals },
): SubjectRule {
  const { refusals } = facts
  if (given === 'random') return RANDOM
  if (!isObject(given)) {
    const expected = 'expected {attribute, salt_file} for the same sub at each login, or "random"'
    const got = typeof given === 'string' ? 'another text' : kindOf(given)
    refusals.add(new SettingsError(`subject: ${expected}, got ${got}`))
    return RANDOM
  }
  const reader = new MemberReader('subject', given, ['attribute', 'salt_file'], refusals)
  const [text, file] = [reader.text('attribute'), reader.text('salt_file')]
  if (!reader.has('attribute')) reader.refuse('attribute', 'expected an attribute, got none')
  if (!reader.has('salt_file')) reader.refuse('salt_file', 'expected a file of secret bytes, got none')
  const found = text === '' ? null : knownAttribute(text, facts)
  if (found !== null && 'why' in found) reader.refuse('attribute', found.why)
  const salt = file === '' ? undefined : refusals.of(() => saltIn(file))
  if (found === null || 'why' in found) return RANDOM
  if (isCredentialTypeId(found.id)) {
    reader.refuse('attribute', `expected an attribute, got the credential type ${found.id}`)
    return RANDOM
  }
  return salt === undefined ? RANDOM : { type: 'attribute', attribute: found.id, salt }
}

/** A line break at the end is not part of the salt, because editors add one.
 *  @throws {SettingsError} */
function saltIn(file: string): Uint8Array {
  const content = contentOf('subject.salt_file', file)
  let end = content.length
  while (end > 0 && (content[end - 1] === 0x0a || content[end - 1] === 0x0d)) end--
  if (end < LEAST_SALT_BYTES)
    throw new SettingsError(
      `subject.salt_file ${file}: expected at least ${LEAST_SALT_BYTES} bytes, got ${end}; openssl rand -base64 48 makes some`,
    )
  return content.subarray(0, end)
}
