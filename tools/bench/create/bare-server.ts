/** The server that `POST /session` is compared with. It uses only `node:http`, reads a body, commits one row to SQLite, and answers. It validates, logs and deletes
 *  nothing; each call is a transaction of its own. @module */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { openSqlite, useWriteAheadLog } from '../../../stores/sqlite/statements.ts'
import { answerParent, type CpuTask } from '../measured-process.ts'

export type BareTask =
  /** Answered with 0. */
  | {
      readonly ask: 'start'
      readonly port: number
      readonly file: string
      /** number of characters of a row */
      readonly rowLength: number
      readonly answer: string
    }
  | CpuTask

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function start(task: BareTask & { readonly ask: 'start' }): Promise<void> {
  const { port, file, rowLength, answer } = task
  const database = await openSqlite(file)
  useWriteAheadLog(database, 'normal')
  database.exec('create table rows (id text primary key, body text not null)')
  const insert = database.prepare('insert into rows values (?, ?)')
  const server = createServer(async (request, response) => {
    const id = randomUUID()
    const body = await textOf(request)
    insert.run(id, body.padEnd(rowLength - id.length, '.'))
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }
    response.writeHead(200, headers).end(answer)
  })
  // this references the connection: Node 20 closes one without references, although its statements are in use
  server.once('close', () => database.close())
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
}

answerParent<BareTask>(async task => {
  await start(task)
  return 0
})
