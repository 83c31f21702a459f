/** Carries out the steps of `deploy/Containerfile` in folders, without a program for containers. The folder of a stage takes the place of its root. The base image is
 *  not there: the programs of this machine run the steps. @module */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PROJECT } from '../../project.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { deployed } from '../tools.ts'

export type Step = { readonly word: string; readonly rest: string }

/** The steps of a container file. A line that ends with a backslash goes on in the next one. */
export function stepsOf(text: string): readonly Step[] {
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll('\\\n', '')
  return [...lines.matchAll(/^([A-Z]+)\s+(.*)$/gm)].map(([, word = '', rest = '']) => ({ word, rest }))
}

export const STEPS = stepsOf(deployed('Containerfile'))

/** The text of the last step with this word: the last stage is the image. */
export function lastOf(word: string): string {
  const step = STEPS.findLast(each => each.word === word)
  if (!step) throw new Error(`Containerfile: expected ${word}, got none`)
  return step.rest
}

/** The files of the project that git knows or would add, without those of `Containerfile.dockerignore`, as a build gets them. */
function copyContext(folder: string): void {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', words, { cwd: PROJECT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const ignored = readFileSync(join(PROJECT, 'deploy/Containerfile.dockerignore'), 'utf8').split('\n')
  for (const file of files.split('\0')) {
    if (file === '' || ignored.includes(file.split('/')[0] ?? '')) continue
    if (!statSync(join(PROJECT, file), { throwIfNoEntry: false })?.isFile()) continue // deleted and not committed
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(PROJECT, file), join(folder, file))
  }
}

/** @param replaced commands in place of others
 *  @returns the folder with the root of the image
 *  @throws if a step fails, or if it has a word that this function does not know */
export function carryOut(steps: readonly Step[] = STEPS, replaced: Replaced = IN_PLACE): string {
  const context = temporaryFolder()
  copyContext(context)
  const stages = new Map<string, string>()
  let [root, at] = [context, '/']
  for (const { word, rest } of steps) {
    if (word === 'FROM') {
      root = temporaryFolder()
      chmodSync(root, 0o755) // every user of the image may enter its root
      stages.set(/ AS (\S+)$/.exec(rest)?.[1] ?? '', root)
    } else if (word === 'WORKDIR') {
      at = rest
      mkdirSync(join(root, at), { recursive: true })
    } else if (word === 'COPY') copy(rest, join(root, at), from => stages.get(from) ?? context)
    else if (word === 'RUN') run(rest, join(root, at), replaced)
    else if (!['ARG', 'CMD', 'ENTRYPOINT', 'ENV', 'EXPOSE', 'HEALTHCHECK', 'LABEL', 'USER'].includes(word))
      throw new Error(`Containerfile: expected a known step, got ${word}`)
  }
  return root
}

type Replaced = Readonly<Record<string, string>>
const PACKAGES: Replaced = { 'npm ci --no-audit --no-fund': `cp -a '${PROJECT}/node_modules' .` }

/** True: all steps of the file make the image, in minutes. */
export const IS_WHOLE = process.env.IMAGE_WHOLE === '1'

/** The packages of this checkout take the place of new ones, and the sources are compiled. */
export const COMPILED: Replaced = IS_WHOLE ? {} : PACKAGES

/** `npm pack`, which other tests run, leaves these files in the `dist` of the checkout (tools/prepack.js). No image has them. */
const PACKED = 'dist/sbom.cdx.json dist/licences.txt dist/svc.1'

/** The packages and compiled files of this checkout take the place of new ones, which take minutes. With `IMAGE_WHOLE=1`, the steps themselves make them. */
const IN_PLACE: Replaced = IS_WHOLE
  ? {}
  : { ...PACKAGES, 'npm run -s build': `cp -a '${PROJECT}/dist' . && rm -f ${PACKED}` }

function run(command: string, cwd: string, replaced: Replaced): void {
  const here = Object.entries(replaced).reduce((text, [from, to]) => text.replace(from, to), command)
  execFileSync('sh', ['-ec', here], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** As in an image, a folder is copied by its content, and a target that ends with a slash, or gets several files, is a folder. */
function copy(rest: string, here: string, stageOf: (name: string) => string): void {
  const words = rest.split(/\s+/)
  const from = /^--from=(.*)$/.exec(words[0] ?? '')?.[1]
  const [target = '', ...sources] = words.slice(from === undefined ? 0 : 1).toReversed()
  for (const source of sources) {
    const path = join(stageOf(from ?? ''), source)
    const isInFolder = !statSync(path).isDirectory() && (target.endsWith('/') || sources.length > 1)
    const name = isInFolder ? join(target, source.slice(source.lastIndexOf('/') + 1)) : target
    cpSync(path, join(here, name), { recursive: true, verbatimSymlinks: true })
  }
}
