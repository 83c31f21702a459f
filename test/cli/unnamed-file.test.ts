/** The settings file of an existing server that no flag names (spec/schemes-and-cli#17.2). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { MAIN, startProgram } from './run-svc.ts'

const Unnamed = suite('the settings file of an existing server, without --config')

Unnamed(
  'a settings file of the existing server is not read without --config, and a line reports this',
  async () => {
    const [home, schemes] = [temporaryFolder(), join(process.cwd(), 'demo/schemes')]
    const here = temporaryFolder()
    const unread = async (...words: readonly string[]): Promise<string | undefined> => {
      const args = [MAIN, 'server', 'check', '--schemes-path', schemes, '--store', 'memory', ...words]
      const { code, stderr } = await startProgram(process.execPath, args, { HOME: home }, here).finished
      assert.is(code, 0, stderr)
      return / WARN settings file (.*): not read; name it with --config, or choose --profile irma\n/.exec(
        stderr,
      )?.[1]
    }
    assert.is(await unread(), undefined)
    for (const folder of [join(home, 'irmaserver'), join(home, '.irmaserver')]) {
      mkdirSync(folder)
      writeFileSync(join(folder, 'irmaserver.toml'), '')
      assert.is(await unread(), join(folder, 'irmaserver.toml'))
    }
    writeFileSync(join(here, 'irmaserver.yml'), 'url: https://id.example')
    assert.is(await unread(), 'irmaserver.yml')
    assert.is(await unread('--config', 'irmaserver.yml'), undefined)
    writeFileSync(join(here, 'svcserver.yml'), '')
    assert.is(await unread(), undefined)
  },
)

Unnamed(
  'with the profile of the existing server, its settings file is read also without --config',
  async () => {
    const [here, schemes] = [temporaryFolder(), join(process.cwd(), 'demo/schemes')]
    writeFileSync(join(here, 'irmaserver.yml'), 'Port: x')
    const args = [MAIN, 'server', 'check', '--schemes-path', schemes, '--store', 'memory']
    const ways = [
      [[...args, '--profile', 'irma'], {}],
      [args, { SVCSERVER_PROFILE: 'irma' }],
    ] as const
    for (const [words, env] of ways) {
      const { code, stderr } = await startProgram(process.execPath, words, { HOME: here, ...env }, here)
        .finished
      assert.is(code, 1)
      assert.match(stderr, 'port in irmaserver.yml: expected an integer from 1 to 65535')
    }
    writeFileSync(join(here, 'svcserver.yml'), '')
    const own = await startProgram(process.execPath, [...args, '--profile', 'irma'], { HOME: here }, here)
      .finished
    assert.is(own.code, 0, own.stderr)
  },
)

Unnamed.run()
