/** Follows "One node with systemd" of docs/operating.md, unchanged, in folders of this test. Only systemd itself is left out, because no test can start it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort } from '../cli/run-svc.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type Fence, readPage } from './markdown.ts'
import { textOf } from './pages.ts'

const Unit = suite('the page on one node with systemd')

const PAGE = 'docs/operating.md'
const FOLDERS = ['/opt/svc', '/etc/svc', '/etc/systemd/system/', '/var/lib/svc'] as const
/** Commands that need systemd, and those that make a checkout. */
const NOT_HERE = /^(systemctl|journalctl|npm) /

const folder = temporaryFolder()
const fences = readPage(PAGE, textOf(PAGE)).fences

/** The block of the page that contains the words, with the paths of this test. */
function fenceWith(words: string): Fence {
  const [found, ...others] = fences.filter(({ content }) => content.includes(words))
  if (found === undefined || others.length > 0) throw new Error(`expected one part of ${PAGE} with ${words}`)
  return { ...found, content: asHere(found.content) }
}

function asHere(text: string): string {
  return FOLDERS.reduce((changed, path) => changed.replaceAll(path, folder + path), text)
}

/** @returns the output of the commands, without those of systemd */
function run({ content }: Fence, env: Readonly<Record<string, string>> = {}, cwd = PROJECT): string {
  const lines = content.split('\n').filter(line => !NOT_HERE.test(line))
  const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8' } as const
  return execFileSync('bash', ['-euo', 'pipefail', '-c', ['exec 2>&1', ...lines].join('\n')], options)
}

Unit(
  'the program is copied, its settings are in order, it starts as the unit starts it, and goes back to a copy of its store',
  async () => {
    for (const path of ['/etc/systemd/system', '/var/lib/svc']) mkdirSync(folder + path, { recursive: true })
    run(fenceWith('npm prune --omit=dev'))
    writeFileSync(join(folder, 'etc/svc/server.yml'), fenceWith('schemes_update: 0').content)

    const port = await freePort()
    const check = fenceWith('systemctl enable --now svc')
    const [before, ready, ...none] = check.content.split(/\n(?=curl )/)
    assert.equal(none, [])
    const said = run({ ...check, content: before ?? '' })
    assert.match(said, 'the settings are in order\n')
    assert.not.match(said, 'ERROR')

    const unit = asHere(readFileSync(join(folder, 'etc/systemd/system/svc.service'), 'utf8'))
    const [, words = ''] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(unit) ?? []
    const settings = words.replace('server.yml', 'check.yml') // server.yml expects its keys in a place that only a unit fills
    const env = { SVCSERVER_PORT: String(port) }
    const isReady = (): string => run({ ...check, content: (ready ?? '').replace('8088', String(port)) })
    const servesOnce = async (): Promise<void> => {
      const server = spawn(process.execPath, settings.split(' '), {
        env: { ...process.env, ...env },
        stdio: 'ignore',
      })
      const ended = once(server, 'exit')
      try {
        assert.match(isReady(), '{"ready":true,')
      } finally {
        server.kill()
      }
      assert.equal(await ended, [0, null])
    }

    await servesOnce()
    const store = join(folder, 'var/lib/svc/sessions.sqlite')
    copyFileSync(store, join(folder, 'copy.sqlite'))
    writeFileSync(store, 'broken')
    run(fenceWith('cp copy.sqlite'), {}, folder)
    assert.not.ok(existsSync(`${store}-wal`))
    await servesOnce()
  },
)
Unit.run()
