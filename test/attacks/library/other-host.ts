/** A session is for one host. A server in the middle passes the calls of an app on, from an address of its own. @module */
import { request } from 'node:http'
import type { Attack } from '../attack.ts'
import { withService } from '../own-service.ts'

const HOST = 'id.example'

export const attack: Attack = {
  name: 'other-host',
  gains: 'the calls of an app that shows the user another host than that of the session',
  cites: 'spec/interface#2.3',
  on: 'own servers',
  run: own =>
    withService(own, { host_perms: [HOST] }, async service => {
      const session = await service.create(service.disclosure({ host: HOST }))
      const app = `${service.server}${new URL(session.app).pathname}`
      const { minVersionHeader, maxVersionHeader } = service.profile
      const headers = { [minVersionHeader]: '2.8', [maxVersionHeader]: '2.8', Authorization: 'app' }
      const called = (host: string): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          const call = request(app, { headers: { ...headers, Host: host } })
          call.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject)
          call.end()
        })
      for (const host of ['evil.example', '127.0.0.1', `${HOST}.evil.example`, `evil.example/${HOST}`])
        if ((await called(host)) === 200) return `the request for a call to ${host}`
      if ((await called(HOST)) !== 200) throw new Error('expected the request at its own host')
      return null
    }),
}
