/** `svc session`: runs one session from the terminal. @module */
import type { Command } from 'commander'
import { addExamples } from '../examples.ts'
import { addSessionFlags, mistakeIn, type SessionFlags } from './flags.ts'

const EXAMPLES = {
  'svc session --disclose svc-demo.gov.idcard.over18':
    'asks for an attribute: a server of its own shows the QR code, and the result follows',
  "svc session --sign svc-demo.gov.idcard.number --message 'I agree' --server http://localhost:8088":
    'has a message signed, at a server that runs',
  'svc session --issue svc-demo.fast.note=hello --server https://id.example --auth-method token --key TOKEN':
    'issues a credential as a requestor of that server',
  'svc session --json --fail --disclose svc-demo.gov.idcard.over18':
    'for a program: lines of JSON, and the exit code says whether the proofs are valid',
  'svc session --static-server https://id.example --static-name entrance':
    'prints the QR code of a static session, for a poster',
}

export function define(command: Command): void {
  addExamples(command, EXAMPLES)
  addSessionFlags(command).action(async (flags: SessionFlags) => {
    const mistake = mistakeIn(flags)
    if (mistake) command.error(`error: ${mistake}`)
    if (flags.staticServer !== undefined) {
      const { showStatic } = await import('./static.ts')
      showStatic(flags.staticServer, flags.staticName ?? '', flags)
      return
    }
    const { runSession } = await import('./run.ts')
    await runSession(flags)
  })
}
