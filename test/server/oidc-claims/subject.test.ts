/** The option `subject`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { CARD, read, refused } from './values.ts'

const SALT = 'a salt of thirty-two bytes or more'

function saltFile(content: string | Uint8Array): string {
  const file = join(temporaryFolder(), 'salt')
  writeFileSync(file, content)
  return file
}

const attribute = `${CARD}.docnumber`

const Subject = suite('settings of sign-in: the subject')

Subject('a subject is random, or made of an attribute and a salt', () => {
  assert.equal(read({ subject: 'random' }).rules.subject, { type: 'random' })
  const { subject } = read({ subject: { attribute, salt_file: saltFile(SALT) } }).rules
  assert.equal(subject, { type: 'attribute', attribute, salt: Buffer.from(SALT) })
})

Subject('in production, an attribute of a demo scheme has a warning', () => {
  const { warnings } = read({ subject: { attribute, salt_file: saltFile(SALT) }, production: true })
  assert.equal(warnings, [
    `subject: every person can make ${attribute}, because the private keys of its demo scheme are public`,
  ])
})

Subject('a line break at the end of the file is not part of the salt, all other bytes are', () => {
  const saltOf = (content: string | Uint8Array) => {
    const { subject } = read({ subject: { attribute, salt_file: saltFile(content) } }).rules
    return subject.type === 'attribute' ? Buffer.from(subject.salt).toString('latin1') : 'random'
  }
  assert.is(saltOf(`${SALT}\n`), SALT)
  assert.is(saltOf(`${SALT}\r\n`), SALT)
  assert.is(saltOf(` ${SALT} `), ` ${SALT} `)
  assert.is(saltOf(Buffer.alloc(32, 0x80)), '\u0080'.repeat(32))
})

Subject('the option has no default', () => {
  const expected = 'subject: expected {attribute, salt_file} for the same sub at each login, or "random"'
  refused({ subject: undefined }, `${expected}, got nothing`)
  refused({ subject: 'pairwise' }, `${expected}, got another text`)
  refused({ subject: [attribute] }, `${expected}, got a list`)
})

Subject('refused: an unknown attribute, and a missing or short file', () => {
  const salt_file = saltFile(SALT)
  refused({ subject: { salt_file } }, 'subject.attribute: expected an attribute, got none')
  refused({ subject: { attribute } }, 'subject.salt_file: expected a file of secret bytes, got none')
  refused(
    { subject: { attribute: CARD, salt_file } },
    `subject.attribute: expected an attribute, got the credential type ${CARD}`,
  )
  refused(
    { subject: { attribute: `${CARD}.docnumbr`, salt_file } },
    /^subject\.attribute: expected an attribute of the schemes.*docnumber"$/,
  )
  refused(
    { subject: { attribute, salt_file: '/no/such/file' } },
    'subject.salt_file: expected an existing file, got /no/such/file',
  )
  refused({ subject: { attribute, salt_file, salt: 'x' } }, /^subject: expected members by name, got "salt"/)
  const short = saltFile(`${'x'.repeat(31)}\n`)
  refused(
    { subject: { attribute, salt_file: short } },
    /^subject\.salt_file .*: expected at least 32 bytes, got 31;/,
  )
})
Subject.run()
