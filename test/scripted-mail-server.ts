/** An SMTP server that answers each line as its script says, to play faults that a real one does not have. @module */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

export type ScriptedMailServer = {
  readonly server: Server
  readonly port: number
  /** what clients have sent, as it arrived */
  readonly heard: string[]
}

/** @param script returns the answer to the text that arrived; null: no answer */
export async function scriptedMailServer(
  script: (line: string, socket: Socket) => string | null,
  greeting = '220 here\r\n',
): Promise<ScriptedMailServer> {
  const heard: string[] = []
  const server = createServer(socket => {
    socket.on('error', () => {}).write(greeting)
    socket.on('data', data => {
      heard.push(data.toString())
      const answer = script(data.toString(), socket)
      if (answer !== null) socket.write(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : 0, heard }
}
