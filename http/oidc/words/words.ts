/** Every word of the sign-in page. @module */

export type SignInTexts = {
  readonly title: (site: string) => string
  readonly name: string
  readonly intro: string
  readonly noScript: string
  readonly preparing: string
  readonly scan: string
  readonly codeLabel: string
  readonly openApp: string
  readonly showCode: string
  readonly connected: string
  readonly returning: string
  readonly pairing: string
  readonly pairingLabel: string
  readonly pairingButton: string
  readonly pairingWrong: string
  readonly done: string
  readonly timeout: string
  readonly failed: string
  readonly again: string
  readonly cancel: string
  readonly error: { readonly title: string; readonly text: string; readonly detail: string }
  /** for a browser past a bound on logins */
  readonly busy: { readonly title: string; readonly text: string }
  readonly logout: {
    readonly title: string
    readonly text: string
    readonly yes: string
    readonly no: string
    readonly done: string
    readonly doneText: string
  }
}
