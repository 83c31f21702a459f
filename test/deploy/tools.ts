/** The files of `deploy/`, and the programs that read them, in Debian's paths. @module */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PROJECT } from '../project.ts'
import { allowUnreadInput } from '../unread-input.ts'

const TOOLS = {
  caddy: '/usr/bin/caddy',
  nginx: '/usr/sbin/nginx',
  prometheus: '/usr/bin/prometheus',
  promtool: '/usr/bin/promtool',
  'systemd-analyze': '/usr/bin/systemd-analyze',
} as const
export type Tool = keyof typeof TOOLS

/** For `isMissing`. */
export function hasTool(tool: Tool): boolean {
  return existsSync(TOOLS[tool])
}

export function pathOf(tool: Tool): string {
  return TOOLS[tool]
}

export function deployed(file: string): string {
  return readFileSync(join(PROJECT, 'deploy', file), 'utf8')
}

/** Copies such a file with other addresses and paths.
 *  @param replaced texts, each of which must occur in it
 *  @param as its name there
 *  @returns its path */
export function copied(
  file: string,
  folder: string,
  replaced: Readonly<Record<string, string>>,
  before = '',
  as = file,
): string {
  let text = deployed(file)
  for (const [from, to] of Object.entries(replaced)) {
    if (!text.includes(from)) throw new Error(`deploy/${file}: expected ${from}, got a file without it`)
    text = text.replaceAll(from, to)
  }
  const path = join(folder, as)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, before + text)
  return path
}

/** @returns its output, of both streams
 *  @throws with its output, if it exits with another status than 0 */
export function runTool(
  tool: Tool,
  words: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      TOOLS[tool],
      words,
      { env: { ...process.env, ...env } },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${tool} ${words.join(' ')}: ${stdout}${stderr}`))
        else resolve(stdout + stderr)
      },
    )
    allowUnreadInput(child)
    child.stdin?.end(input)
  })
}
