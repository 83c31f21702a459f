/** The one stylesheet of the sign-in page. It begins with that of the account page, so that both look alike. @module */
import { STYLE as ACCOUNT_STYLE } from '../account-page/style.ts'

export const STYLE = `${ACCOUNT_STYLE}[hidden] { display: none !important; }
main { text-align: center; }
#code svg { width: min(16rem, 100%); height: auto; background: #ffffff; border-radius: 0.7rem; }
#code { margin-bottom: 1rem; }
#status:focus { outline: none; }
.actions { display: flex; flex-direction: column; gap: 0.75rem; align-items: center; margin-top: 1.25rem; }
input[inputmode] {
  width: 9rem; min-height: 2.75rem; padding: 0.5rem 0.75rem; text-align: center; letter-spacing: 0.35em;
  border: 1px solid var(--edge); border-radius: 0.6rem; background: var(--surface); color: var(--ink); font: inherit; font-size: 1.25rem;
}
#pairing label { margin-bottom: 0.5rem; }
#pairing button { display: block; margin: 0.75rem auto 0; }
button.plain, .plain { margin-top: 0.5rem; }
`
