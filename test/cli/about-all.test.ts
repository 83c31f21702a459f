import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import * as assert from 'uvu/assert'
import { manPage } from '../../cli/man/print.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runSvc } from './run-svc.ts'

const OFFER = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svc; printf "%s\\n" "\${COMPREPLY[@]}"`

/** The completions of bash for these words, the last of which is incomplete. */
function offered(script: string, words: readonly string[]): readonly string[] {
  const written = ['--norc', '-c', OFFER, 'bash', script, ...words]
  return execFileSync('bash', written, { encoding: 'utf8' }).trim().split('\n')
}

const About = suite('svc: what is printed about all commands')

About('bash completes commands, their words and their flags', async () => {
  const script = join(temporaryFolder(), 'svc.bash')
  writeFileSync(script, (await runSvc(['completion', 'bash'])).stdout)
  assert.equal(offered(script, ['svc', 'se']), ['server', 'session'])
  assert.equal(offered(script, ['svc', 'keyshare', 'keygen', '']), ['storage', 'jwt', '--help'])
  assert.equal(offered(script, ['svc', 'chart', 's']), ['session'])
  assert.equal(offered(script, ['svc', 'server', '--verbose', '--store-']), ['--store-file', '--store-type'])
  assert.equal(offered(script, ['svc', 'server', '--nope']), [''])
  // bash offers files where it gets no words
  assert.equal(offered(script, ['svc', 'server', '--config', '']), [''])
  assert.equal(offered(script, ['svc', 'keyshare', 'import', '--from-file', '']), [''])
  assert.equal(offered(script, ['svc', 'server', 'options', '--format', 'y']), ['yaml'])
  assert.equal(offered(script, ['attribute-session-service', 'server', '--config', 'x', 'che']), ['check'])
  const both = readFileSync(script, 'utf8').endsWith(
    '\ncomplete -o default -F _svc svc attribute-session-service\n',
  )
  assert.ok(both, 'the two names of the command')
})

About('zsh gets the script for bash after one more line; another shell is refused', async () => {
  const [bash, zsh] = await Promise.all([runSvc(['completion', 'bash']), runSvc(['completion', 'zsh'])])
  assert.is(zsh.stdout, `autoload -U +X bashcompinit && bashcompinit\n${bash.stdout}`)
  assert.match((await runSvc(['completion', 'tcsh'])).stderr, /Allowed choices are bash, zsh, fish\./)
})

const hasFish = existsSync('/usr/bin/fish')
const WithFish = isMissing('/usr/bin/fish', hasFish) ? About.skip : About
WithFish('fish completes commands, their words and their flags', async () => {
  const script = join(temporaryFolder(), 'svc.fish')
  writeFileSync(script, (await runSvc(['completion', 'fish'])).stdout)
  const offeredBy = (line: string): readonly string[] =>
    execFileSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], {
      encoding: 'utf8',
      cwd: temporaryFolder(), // fish offers the files of its folder too
    })
      .trim()
      .split('\n')
  assert.equal(offeredBy('svc se'), ['server', 'session'])
  assert.equal(offeredBy('svc chart s'), ['session'])
  assert.equal(offeredBy('svc keyshare keygen '), ['jwt', 'storage', '--help'])
  assert.equal(offeredBy('svc server --verbose --store-'), ['--store-file', '--store-type'])
  assert.equal(offeredBy('svc server --config '), [''])
  assert.equal(offeredBy('svc server options --format '), ['markdown', 'yaml'])
  assert.equal(offeredBy('attribute-session-service chart s'), ['session'])
})

About('the page for man names every command and every flag', async () => {
  const [{ stdout }, help] = await Promise.all([runSvc(['man']), runSvc(['--help'])])
  const commands = [...help.stdout.matchAll(/^ {2}([a-z]+) {2,}[a-z]/gm)].map(([, name = '']) => name)
  for (const name of ['server', 'wallet', 'man']) assert.ok(commands.includes(name), name)
  for (const name of commands) assert.match(stdout, new RegExp(`^\\.SS svc ${name}[ \n]`, 'm'))
  for (const path of ['svc keyshare keygen jwt', 'svc wallet change\\-pin'])
    assert.ok(stdout.includes(`\n.SS ${path}`), path)
  for (const name of sessionServer.names)
    assert.ok(stdout.includes(sessionServer.flagOf(name).replaceAll('-', '\\-')), name)
  const requests = ['.B', '.I', '.RI', '.SH', '.SS', '.TH', '.TP']
  assert.equal([...new Set(stdout.match(/^[.'].\S*/gm))].sort(), requests)
})

About('no text of a command is read as a macro of man', () => {
  const program = new Command('svc')
  program.command('x').description("'.so /etc/passwd\n.ex \\n[x]")
  assert.ok(manPage(program, '1').includes("\n\\&'.so /etc/passwd\n\\&.ex \\en[x]\n"))
})

async function helpOf(words: string): Promise<string> {
  const { code, stdout } = await runSvc([...words.split(' ').filter(Boolean), '--help'])
  assert.is(code, 0, words)
  return stdout
}

const HEADINGS = {
  '': ['Servers:', 'Schemes and keys:', 'Examples:'],
  server: ['Listeners:', 'TLS:', 'Who may do what:', 'Store:', 'Log:', 'Examples:'],
  keyshare: ['Listeners:', 'TLS:', 'Accounts:', 'Mail:', 'Examples:'],
}

About('the help has headings', async () => {
  for (const [group, headings] of Object.entries(HEADINGS)) {
    const stdout = await helpOf(group)
    for (const heading of headings) assert.ok(stdout.includes(`\n${heading}\n`), heading)
  }
})
About.run()
