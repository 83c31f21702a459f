/** Every word of the account page. @module */
import type { LogEntry } from '../../../stores/account-store.ts'

export type PageTexts = {
  /** the name of this language in itself */
  readonly language: string
  readonly name: string
  readonly logOut: string
  readonly back: string
  readonly ask: {
    readonly title: string
    readonly text: string
    readonly address: string
    readonly button: string
    readonly refused: string
    readonly asked: string
    readonly look: string
  }
  readonly login: { readonly title: string; readonly text: string; readonly button: string }
  readonly confirm: {
    readonly title: string
    readonly text: string
    readonly button: string
    readonly done: string
    readonly isYours: (address: string) => string
  }
  readonly choose: {
    readonly title: string
    readonly text: (address: string) => string
    readonly lastUsed: string
  }
  readonly account: {
    readonly title: string
    readonly userName: string
    readonly willBeDeleted: (day: string) => string
    readonly addresses: string
    readonly addAddress: string
    readonly addText: string
    readonly addButton: string
    readonly mailed: (address: string) => string
    readonly notMailed: string
    readonly tooMany: string
    readonly log: string
    readonly nothing: string
    readonly newer: string
    readonly older: string
    readonly deletion: string
    readonly deletionText: string
    readonly deletionButton: string
  }
  readonly deletion: {
    readonly title: string
    readonly text: (userName: string) => string
    readonly days: (days: number) => string
    readonly understood: string
    readonly needed: string
    readonly button: string
    readonly cancel: string
    readonly done: string
    readonly doneText: string
  }
  readonly errors: {
    readonly elsewhere: readonly [title: string, text: string]
    readonly link: readonly [title: string, text: string]
    readonly tooMany: readonly [title: string, text: string]
    readonly notFound: readonly [title: string, text: string]
    readonly later: readonly [title: string, text: string]
    readonly failed: readonly [title: string, text: string]
  }
  readonly event: (entry: Pick<LogEntry, 'event' | 'param'>) => string
}
