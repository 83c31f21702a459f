/** The sign-in page in English. @module */
import type { SignInTexts } from './words.ts'

export const ENGLISH: SignInTexts = {
  title: site => `Sign in to ${site}`,
  name: 'Sign in with your wallet',
  intro: 'Your wallet app shows which data the site asks for. You decide in the app.',
  noScript: 'This page needs JavaScript. Turn it on, and load the page again.',
  preparing: 'One moment. A code is being made.',
  scan: 'Scan this code with your wallet app.',
  codeLabel: 'QR code for your wallet app',
  openApp: 'Open the wallet app',
  showCode: 'Show a QR code',
  connected: 'Follow the steps in your wallet app.',
  returning: 'Go on in the page that your wallet app has opened. If it opened another browser, show a code.',
  pairing: 'Your wallet app shows a code of four digits. Type it here.',
  pairingLabel: 'Code in the app',
  pairingButton: 'Continue',
  pairingWrong: 'This is another code. Look in your wallet app, and type it again.',
  done: 'Done. You return to the site.',
  timeout: 'The code has expired.',
  failed: 'Something went wrong. Try again with a new code.',
  again: 'Make a new code',
  cancel: 'Cancel, and return to the site',
  error: {
    title: 'This sign-in has ended',
    text: 'Return to the site, and sign in there again.',
    cookies: 'Your browser sent no cookie. Allow cookies for this page, because a sign-in needs them.',
    request: {
      title: 'This sign-in cannot begin',
      text: 'The request of the site has a mistake, which only the site can correct.',
    },
    logout: {
      title: 'You could not be signed out here',
      text: 'The request to sign out is not valid, or has been used. Return to the site, and sign out there again.',
    },
    fault: { title: 'Something went wrong', text: 'Wait a minute, and load this page again.' },
    detail: 'For the site',
  },
  busy: {
    title: 'Too many sign-ins',
    text: 'Too many people sign in at this moment. Wait a minute, and load this page again.',
  },
  logout: {
    title: 'Sign out',
    text: 'Do you want to sign out here too? Sites at which you signed in are notified.',
    yes: 'Sign out',
    no: 'Stay signed in',
    done: 'You are signed out',
    doneText: 'You can close this page.',
  },
}
