/** `svc demo` as a person starts it. @module */
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { startSvc } from '../cli/run-svc.ts'
import { suite } from '../suite.ts'

const Command = suite('svc demo')

Command(
  'it prints one address, which shows the page, and leaves nothing behind when it is told to stop',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-demo-test-'))
    const running = startSvc(['demo'], { TMPDIR: folder })
    const said = await running.says('\n')
    const address = /^Open (.*)\n$/.exec(said)?.[1] ?? ''
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/)
    assert.match(await (await fetch(address)).text(), '<title>Attribute session service: demo</title>')
    assert.is(readdirSync(folder).length, 1)
    running.process.kill('SIGTERM')
    assert.equal(await running.finished, { code: 0, stdout: said, stderr: '' })
    assert.equal(readdirSync(folder), [])
  },
)

Command.run()
