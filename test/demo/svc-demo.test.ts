/** `svc demo` as users start it. @module */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { startSvc } from '../cli/run-svc.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const Command = suite('svc demo')
let running: ReturnType<typeof startSvc>
Command.after.each(() => void running.process.kill('SIGKILL')) // it has ended by itself, unless a test failed

Command(
  'it prints one address, which shows the page, and leaves nothing behind when it is stopped',
  async () => {
    const folder = temporaryFolder()
    running = startSvc(['demo'], { TMPDIR: folder })
    const address = /^Open (.*)$/m.exec(await running.says('/\n'))?.[1] ?? '' // a warning may be printed before
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/)
    assert.match(await (await fetch(address)).text(), '<title>Attribute session service: demo</title>')
    assert.is(readdirSync(folder).length, 2, 'a phone, and schemes')
    running.process.kill('SIGTERM')
    const { stderr, ...end } = await running.finished
    assert.equal(end, { code: 0, stdout: `Open ${address}\n` })
    // the port in the demo scheme may be in use on this machine, by another test run
    assert.match(stderr, /^(\S+ WARN timestamp server: not at the address that the scheme names.*\n)?$/)
    assert.equal(readdirSync(folder), [])
  },
)

Command('with --keep the phone and its account stay in the named folder', async () => {
  const folder = join(temporaryFolder(), 'kept')
  running = startSvc(['demo', '--keep', folder])
  await running.says('\n')
  running.process.kill('SIGTERM')
  assert.is((await running.finished).code, 0)
  assert.equal(readdirSync(folder).sort(), ['keyshare', 'phone'])
})

Command.run()
