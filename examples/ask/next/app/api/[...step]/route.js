/** Asks whether the visitor is over 18, with next and `askFor`: `POST /api/start` and `GET /api/result/ID`. @module */
import { askFor } from 'attribute-session-client/next'
import { getIronSession } from 'iron-session'
import { cookies } from 'next/headers'

const { SVC_URL = 'http://127.0.0.1:8088', SVC_TOKEN, SESSION_SECRET } = process.env
const AGE = 'svc-demo.gov.idcard.over18'

export const { GET, POST } = askFor({
  ...{ url: SVC_URL, path: '/api' },
  ...(SVC_TOKEN && { auth: { method: 'token', token: SVC_TOKEN } }),
  request: { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[[AGE]]] },
  session: async () => getIronSession(await cookies(), { cookieName: 'site', password: SESSION_SECRET }),
  accept(values, session) {
    session.isAdult = values[AGE] === 'yes'
    return session.isAdult
  },
})
