/** Files of keys: the message if one cannot be written. Nothing is lost in that case. @module */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { mistakeIfThere, replaceFiles, writeNewPair } from '../../cli/key-files.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runSvc } from './run-svc.ts'

const RIGHTS = 'see that its folder exists, and that this user may write there'

function pairIn(folder: string) {
  const secret = { file: join(folder, 'sk'), option: '--privatekey', content: 'secret' }
  return { secret, known: { file: join(folder, 'pk'), option: '--publickey', content: 'known' } }
}

const Files = suite('files of keys')

Files('a new key replaces no file: the message names the file and the option', () => {
  const { secret, known } = pairIn(temporaryFolder())
  assert.is(writeNewPair(secret, known), undefined)
  assert.equal(
    [secret, known].map(({ file }) => statSync(file).mode & 0o777),
    [0o600, 0o644],
  )
  const message = `${secret.file}: expected a new file, but it exists; choose another with --privatekey`
  assert.is(writeNewPair({ ...secret, content: 'other' }, known), message)
  assert.is(mistakeIfThere(secret), message)
  assert.is(readFileSync(secret.file, 'utf8'), 'secret')
})

Files(
  'if a file cannot be created, the message has the reason and the remedy, and no half of a pair stays',
  () => {
    const folder = temporaryFolder()
    const { secret, known } = pairIn(folder)
    const file = join(folder, 'none', 'pk')
    assert.is(
      writeNewPair(secret, { ...known, file }),
      `--publickey: expected a file that can be written, got ${file} (ENOENT); ${RIGHTS}`,
    )
    assert.not(existsSync(secret.file))
    assert.is(
      writeNewPair({ ...secret, file: '' }, known),
      `--privatekey: expected a file that can be written, got an empty name (ENOENT); ${RIGHTS}`,
    )
  },
)

Files(
  'a pair of files is replaced through new files beside them; if one cannot be written, both stay unchanged',
  () => {
    const { secret, known } = pairIn(temporaryFolder())
    writeNewPair(secret, known)
    mkdirSync(`${known.file}.next`)
    const next = [
      { ...secret, content: 'next secret' },
      { ...known, content: 'next known' },
    ] as const
    assert.throws(
      () => replaceFiles(...next),
      (error: Error) =>
        error.message ===
        `--publickey: expected a file that can be replaced by way of ${known.file}.next, got ${known.file} (ERR_FS_EISDIR); ${RIGHTS}`,
    )
    assert.equal(
      [secret, known].map(({ file }) => readFileSync(file, 'utf8')),
      ['secret', 'known'],
    )
  },
)

Files('svc issuer keygen: a path that is not the folder of an issuer is wrong usage', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'PublicKeys')
  writeFileSync(file, '')
  const rows = {
    [file]: `expected the folder of an issuer, but there is no folder "${file}"; name one as PATH`,
    '': 'expected the folder of an issuer, but there is no folder ""; name one as PATH',
    [folder]: `${file}: expected a folder of keys, got something else; name another PATH`,
  }
  for (const [path, message] of Object.entries(rows)) {
    const { code, stderr } = await runSvc(['issuer', 'keygen', path])
    assert.equal(
      { code, stderr },
      { code: 255, stderr: `Error: ${message}\nSee svc issuer keygen --help.\n` },
    )
  }
})
Files.run()
