/** Every word of the sign-in page. @module */

export type ErrorPage = { readonly title: string; readonly text: string }

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
  /** `title` and `text` are those of a login that has ended */
  readonly error: ErrorPage & {
    /** for a browser that sent no cookie to the page of a login */
    readonly cookies: string
    /** for an authorization request that no site gets an answer to */
    readonly request: ErrorPage
    readonly logout: ErrorPage
    /** for a fault of this server */
    readonly fault: ErrorPage
    readonly detail: string
  }
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
