/** The site in a fresh folder, made once for all tests of a file, and its pages as files. @module */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSite } from '../../tools/site/build.ts'
import { PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export type Site = {
  /** the HTML of every page, by its path in the site */
  readonly pages: ReadonlyMap<string, string>
  /** every file, pages included */
  readonly files: ReadonlySet<string>
  addressOf(page: string): string
}

export async function newSite(): Promise<Site> {
  const folder = temporaryFolder()
  await buildSite(PROJECT, folder)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const names = files.filter(file => file.endsWith('.html'))
  return {
    pages: new Map(names.map(name => [name, readFileSync(join(folder, name), 'utf8')])),
    files: new Set(files),
    addressOf: page => pathToFileURL(join(folder, page)).href,
  }
}

export type Link = { readonly from: string; readonly to: string; readonly place: string }

/** The links of a page to places within the site, and the files that the page loads. */
export function linksOf(page: string, html: string): readonly Link[] {
  return [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^[a-z]+:/.test(target))
    .map(target => {
      const [file = '', place = ''] = target.split('#')
      return { from: page, to: file === '' ? page : normalize(join(dirname(page), file)), place }
    })
}

/** @returns the links without a target */
export function deadLinks({ pages, files }: Pick<Site, 'pages' | 'files'>): readonly Link[] {
  return [...pages]
    .flatMap(([page, html]) => linksOf(page, html))
    .filter(({ to, place }) => !files.has(to) || (place !== '' && !pages.get(to)?.includes(` id="${place}"`)))
}
