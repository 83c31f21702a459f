/** The programs that maintainers start (CONTRIBUTING.md): each reports a wrong option in one line. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const Programs = suite('programs of maintainers')

const NO_MUTANT = 'expected --chart, --folder and --name to fit a mutant, got none; --list alone lists all'
const REFUSED: readonly (readonly [file: string, options: readonly string[], line: RegExp | string])[] = [
  ['mutants/run.js', ['--chart', 'sesion'], `mutants: ${NO_MUTANT}`],
  ['mutants/run.js', ['--count', 'x'], 'mutants: --count: expected a whole number from 1 on, got "x"'],
  [
    'mutants/run.js',
    ['--processes', '0'],
    'mutants: --processes: expected a whole number from 1 on, got "0"',
  ],
  ['mutants/run.js', ['--chrat', 'session'], /^mutants: Unknown option '--chrat'/],
  [
    'run.js',
    ['--part', 'store'],
    'test: expected a part of quick, flows, stores, processes, browser, generated, got "store"',
  ],
  ['simulation/run.js', ['--seeds', 'x'], 'simulate: --seeds: expected a whole number from 1 on, got "x"'],
  [
    'faults/cluster/run.js',
    ['--store', 'mysql'],
    'cluster: --store: expected one of sqlite, postgres, redis, valkey, got "mysql"',
  ],
  [
    'faults/cluster/run.js',
    ['--minutes', '1.5'],
    'cluster: --minutes: expected a whole number from 1 on, got "1.5"',
  ],
  ['run.js', ['build/parts', 'nosuch'], 'test: expected a part of the path of a test file, got "nosuch"'],
  ['docs/plain/run.js', ['nosuch.md'], 'plain: expected a file or a folder of the project, got "nosuch.md"'],
  ['docs/plain/run.js', ['/tmp'], 'plain: expected a file or a folder of the project, got "/tmp"'],
  [
    'docs/plain/run.js',
    ['README.md', 'dist'],
    'plain: expected a folder with files that git does not ignore, got "dist"',
  ],
  ['docs/plain/run.js', ['--hepl'], /^error: unknown option '--hepl'/],
]

for (const [file, options, line] of REFUSED)
  Programs(`${file} ${options.join(' ')}`, () => {
    const program = join(PROJECT, 'dist/test', file)
    const { status, stderr } = spawnSync(process.execPath, [program, ...options], { encoding: 'utf8' })
    if (typeof line === 'string') assert.is(stderr, `${line}\n`)
    else assert.match(stderr, line)
    assert.not.match(stderr, /^\s+at /m)
    assert.is(status, 1)
  })

Programs('docs/plain/run.js reads the files below a folder, and prints its usage', () => {
  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, [join(PROJECT, 'dist/test/docs/plain/run.js'), ...words], {
      encoding: 'utf8',
    })
  const folder = run('docs')
  assert.is(folder.status, 0, folder.stderr)
  assert.match(folder.stdout, /^pages: \d+ of [1-9]\d+ sentences/m)
  const help = run('--help')
  assert.is(help.status, 0, help.stderr)
  assert.match(help.stdout, /^Usage: npm run plain -- .*\[paths\.\.\.\]/)
})

Programs.run()
