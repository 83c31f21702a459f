'use client'
/** The page: a QR code, and in the end what the back end says. @module */
import { useEffect, useState } from 'react'

const start = { url: () => 'api/start', method: 'POST' } // the back end starts the session and keeps its token
const result = { url: (_, { sessionToken }) => `api/result/${sessionToken}` } // the back end reads the result and checks it

/** This is what the QR code holds; you paste it, because you have no phone with demo cards. */
const commandOf = ({ sessionPtr }) =>
  `npx attribute-session-service wallet answer '${JSON.stringify(sessionPtr)}' --dir try/wallet --schemes-path demo/schemes --yes`

/** Where the visitor refuses, the package says so in place of the code and offers to try again; an answer of the back end other than 200 it calls an error.
 *  The promise of `start` goes on waiting. */
async function ask(show, leaving) {
  const { newWeb } = await import('@privacybydesign/yivi-frontend') // in the browser alone: on the server there is no window
  if (leaving.aborted) return
  const sessionPtr = told => {
    show(commandOf(told))
    return told.sessionPtr
  }
  const mapping = { sessionPtr, sessionToken: r => r.id, frontendRequest: r => r.frontendRequest }
  const web = newWeb({ element: '#code', language: 'en', session: { url: '', start, result, mapping } })
  leaving.onabort = () => web.abort()
  show(JSON.stringify(await web.start(), null, 2))
}

export default function Page() {
  const [answer, show] = useState('')
  useEffect(() => {
    const leaving = new AbortController() // React calls an effect twice in development, and once more whenever the page comes back
    ask(show, leaving.signal).catch(reason => leaving.signal.aborted || show(String(reason)))
    return () => leaving.abort()
  }, [])
  return (
    <>
      <style>{'#code:has(.yivi-web-restart-button) + pre { display: none }'}</style>
      <div id="code" />
      <pre style={{ whiteSpace: 'pre-wrap' }}>{answer}</pre>
    </>
  )
}
