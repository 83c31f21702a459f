/** The job that updates the schemes of a folder. @module */
import { loadSchemes } from '../../../schemes/load.ts'
import type { UpdateJob } from '../../../server/schemes/update-job.ts'

export async function jobOn(path: string): Promise<UpdateJob> {
  const { contents } = await loadSchemes(path)
  const known = contents.map(({ folder, scheme: { id, url, timestampSec } }) => ({
    folder,
    id,
    url,
    timestampSec,
  }))
  return { path, privateKeys: null, known, mayDownload: true }
}
