/** Follows the parts of docs/operating.md about systemd, in folders of this test. Only the commands of systemd are left out, because no test can start it. @module */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort } from '../cli/run-svc.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type Fence, readPage } from './markdown.ts'
import { textOf } from './pages.ts'

const Unit = suite('the page on nodes with systemd')

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
  'the program is copied, its settings pass the check, it starts like the unit, and a copy of its store is restored',
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
    const restart = fenceWith('systemctl restart svc\ncurl').content
    const servesOnce = async (asks: string): Promise<void> => {
      const server = spawn(process.execPath, settings.split(' '), {
        env: { ...process.env, ...env },
        stdio: 'ignore',
      })
      const ended = once(server, 'exit')
      try {
        assert.match(run({ ...check, content: asks.replace('8088', String(port)) }), '{"ready":true,')
      } finally {
        server.kill()
      }
      assert.equal(await ended, [0, null])
    }

    await servesOnce(ready ?? '')
    const store = join(folder, 'var/lib/svc/sessions.sqlite')
    copyFileSync(store, join(folder, 'copy.sqlite'))
    writeFileSync(store, 'broken')
    run(fenceWith('cp copy.sqlite'), {}, folder)
    assert.not.ok(existsSync(`${store}-wal`))
    await servesOnce(restart)
  },
)

Unit(
  'each of two nodes gets the settings of one, the shared store, and a credential with its address',
  () => {
    const here = mkdtempSync(join(folder, 'two-'))
    const moved = (text: string): string => text.replaceAll(folder, here)
    const runMoved = (words: string, keep: RegExp): string => {
      const fence = fenceWith(words)
      const lines = moved(fence.content).split('\n')
      return run({ ...fence, content: lines.filter(line => keep.test(line)).join('\n') })
    }
    for (const path of ['etc/svc/schemes', 'etc/systemd/system'])
      mkdirSync(join(here, path), { recursive: true })
    const one = moved(fenceWith('schemes_update: 0').content).split('\n')
    const kept = one.filter(line => !/^(listen_addr|store):/.test(line))
    assert.is(kept.length, one.length - 2)
    const settings = [...kept, moved(fenceWith('stop_delay: 3s').content), '']
    writeFileSync(join(here, 'etc/svc/server.yml'), settings.join('\n'))

    runMoved('LoadCredential=store:', /^\(umask|^mkdir|^printf/)
    const added = readFileSync(join(here, 'etc/systemd/system/svc.service.d/store.conf'), 'utf8')
    assert.is(added, `[Service]\nLoadCredential=store:${here}/etc/svc/store\n`)
    const schemes = /^(cp -r demo|chmod -R|\(umask|sed)/
    runMoved('systemctl enable --now svc', schemes)
    const program = join(PROJECT, 'dist/cli/main.js')
    const words = [program, 'server', 'check', '--config', join(here, 'etc/svc/check.yml')]
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    assert.match(stderr, 'the settings are in order\n')
    assert.is(status, 0)
  },
)

Unit.run()
