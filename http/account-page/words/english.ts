/** The account page in English. @module */
import type { PageTexts } from './words.ts'

export const ENGLISH: PageTexts = {
  language: 'English',
  name: 'Account of your wallet app',
  logOut: 'Log out',
  back: 'Back to the account',
  ask: {
    title: 'Manage your account',
    text: 'Enter the e-mail address that you have confirmed for your wallet app. We will send you a link with which you can look at your account, and delete it.',
    address: 'E-mail address',
    button: 'Send the link',
    refused: 'This is not an e-mail address. Enter one such as name@example.com.',
    asked: 'Look in your mail',
    look: 'If this address belongs to an account, a link is on its way to it. It can be used once, for 60 minutes. Nothing there? Look in your spam folder, or ask for another link in two minutes.',
  },
  login: {
    title: 'Log in',
    text: 'You have followed the link in our mail. Log in to look at your account. You will be logged out after 15 minutes.',
    button: 'Log in',
  },
  confirm: {
    title: 'Confirm your e-mail address',
    text: 'You have followed the link in our mail. Press the button to confirm that the address is yours.',
    button: 'Confirm the address',
    done: 'Your address is confirmed',
    isYours: address => `${address} belongs to your account from now on. You can close this page.`,
  },
  choose: {
    title: 'Choose an account',
    text: address => `These accounts have the address ${address}.`,
    lastUsed: 'last used',
  },
  account: {
    title: 'Your account',
    userName: 'User name',
    willBeDeleted: day => `This account will be deleted on ${day}, unless it is used before that.`,
    addresses: 'E-mail addresses',
    addAddress: 'Another e-mail address',
    addText:
      'To add an address, or to be sent its link again, enter it here. It belongs to your account when you follow the link.',
    addButton: 'Send the link',
    mailed: address => `A link is on its way to ${address}.`,
    notMailed: 'No mail can reach this address. Enter one such as name@example.com.',
    tooMany: 'Too many links were sent to this address. Try again later.',
    log: 'What happened',
    nothing: 'Nothing has happened yet.',
    newer: 'Newer',
    older: 'Older',
    deletion: 'Delete the account',
    deletionText:
      'If your phone is lost or stolen, delete the account: then nobody can use the data in your wallet app.',
    deletionButton: 'Delete this account',
  },
  deletion: {
    title: 'Delete this account?',
    text: userName =>
      `The account ${userName} will be of no use at once. The data in your wallet app can then never be used again, by nobody. This cannot be undone.`,
    days: days =>
      `All other stored data of this account will be erased in ${days === 1 ? '1 day' : `${days} days`}.`,
    understood: 'I understand that the data in my wallet app will be lost.',
    needed: 'Tick the box to delete the account.',
    button: 'Delete for good',
    cancel: 'Keep the account',
    done: 'The account has been deleted',
    doneText: 'Your wallet app cannot use it any more. We have sent you a mail about it.',
  },
  errors: {
    elsewhere: [
      'This form came from another site',
      'Nothing was changed. Open this page yourself, and fill in the form again.',
    ],
    link: ['This link cannot be used', 'It was used already, or it is too old. You can ask for another one.'],
    tooMany: ['Too many links', 'Too many links were asked for from your network. Try again in an hour.'],
    notFound: [
      'There is nothing here',
      'The address of this page is not right, or the account is no longer there.',
    ],
    later: ['Please try again later', 'The server is busy, or is being repaired.'],
    failed: ['Something went wrong', 'Go back and try again.'],
  },
  event({ event, param }) {
    switch (event) {
      case 'PIN_CHECK_SUCCESS':
        return 'The right PIN was entered'
      case 'PIN_CHECK_FAILED':
        return `A wrong PIN was entered (${param === 1 ? '1 try left' : `${param} tries left`})`
      case 'PIN_CHECK_BLOCKED':
        return `Blocked for ${param} seconds after wrong PINs`
      case 'PIN_CHECK_REFUSED':
        return 'A PIN was refused, because the account was blocked'
      case 'SESSION':
        return 'The wallet app was used in a session'
    }
  },
}
