/** `svc request`: prints a session request to standard output, signed or not. @module */
import type { Command } from 'commander'
import { addExamples } from '../examples.ts'
import { addRequestFlags, isBuilt, mistakeInRequest, type RequestFlags } from './flags.ts'

const EXAMPLES = {
  'svc request --disclose svc-demo.gov.idcard.over18': 'prints the request',
  'svc request --disclose svc-demo.gov.idcard.over18 --auth-method hmac --key KEY --name shop':
    'prints it as the JWT of a requestor, for POST /session',
  "svc request --sign svc-demo.gov.idcard.number --message 'I agree'": 'asks for a signature of a message',
  'svc request --issue svc-demo.fast.note=hello': 'issues a credential',
}

export function define(command: Command): void {
  addExamples(command, EXAMPLES)
  addRequestFlags(command).action(async (flags: RequestFlags) => {
    const mistake = isBuilt(flags)
      ? mistakeInRequest(flags)
      : 'expected one of --disclose, --sign and --issue'
    if (mistake) command.error(`error: ${mistake}`)
    const { printRequest } = await import('./run.ts')
    await printRequest(flags)
  })
}
