/** The descriptions of the endpoints about a node itself. @module */
import { z } from 'zod'
import { NOT_READY, READY } from '../../protocol/wire/answers.ts'
import { json, type Operation, page, text } from './operation.ts'

export function nodeOperations() {
  return {
    health: { summary: 'Answers OK while the process runs', answers: { 200: text('OK') } },
    ready: {
      summary: 'Whether this node is ready for calls, and the reasons if it is not',
      answers: { 200: json(READY), 503: json(NOT_READY) },
    },
    description: {
      summary: 'This description',
      answers: { 200: json(z.looseObject({ openapi: z.literal('3.1.0') })) },
    },
    descriptionPage: { summary: 'This description as a page', answers: { 200: page('HTML') } },
  } as const satisfies Record<string, Operation>
}
