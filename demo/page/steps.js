/** The texts of the steps of the tour: the web site, its request, and the reason.
 *
 *  @typedef {'cards' | 'login' | 'either' | 'contract' | 'library' | 'chain' | 'mobile' | 'revoked' | 'twice' | 'pin' | 'sites'} Step
 *  @module */

/** Texts of the steps. `done` is shown when a session has succeeded; `again` when a second one has. */
export const STEPS = {
  cards: {
    name: 'Get two cards',
    site: 'City Counter',
    icon: 'cards',
    title: 'Cards for your phone',
    text: 'We hand out an identity card and a student card. They go to your phone, signed by their issuers. Your phone’s secret is part of both, and never leaves it.',
    button: 'Receive both cards',
    done: 'Cards signed and handed over',
  },
  login: {
    name: 'Log in',
    site: 'Course Pages',
    icon: 'person',
    title: 'Log in',
    text: 'Your student number is enough for us. The rest of your student card is none of our business, and there is no password to remember.',
    button: 'Log in with your wallet',
    done: 'Proof received and checked',
  },
  either: {
    name: 'One of two',
    site: 'Reading Room',
    icon: 'fork',
    title: 'Log in, with the card you like',
    text: 'A student card or an identity card will do: you choose. Whether we may greet you by your family name is up to you too.',
    button: 'Log in with either card',
    done: 'Proof received and checked',
  },
  contract: {
    name: 'Sign a contract',
    site: 'Harbour Rooms',
    icon: 'pen',
    title: 'Sign your rental contract',
    text: 'You sign the text together with your name, as it stands on your identity card. A timestamp says when.',
    button: 'Read and sign',
    done: 'Signature received and checked',
  },
  library: {
    name: 'A card for a card',
    site: 'City Library',
    icon: 'book',
    title: 'Get a library card',
    text: 'Students read at half the price: show your university, and a library card comes back in the same session.',
    note: 'The demo schemes have no library card, so this one is a “Demo note” with the text of a library card on it.',
    button: 'Get your library card',
    done: 'Proof checked, card handed over',
  },
  chain: {
    name: 'Two in a row',
    site: 'Museum Night',
    icon: 'ticket',
    title: 'Join the student raffle',
    text: 'One scan, two sessions. First you show that you are a student, then your ticket follows. Its number is made by your phone and by us together, and only your phone knows it.',
    button: 'Join with your wallet',
    done: 'Proof received and checked',
    again: 'Ticket signed and handed over',
  },
  mobile: {
    name: 'On the phone',
    site: 'Corner Shop',
    icon: 'bottle',
    title: 'Red wine, one bottle',
    text: 'Now you visit the shop with the phone itself: nothing to scan. A link opens the wallet, and the wallet brings you back. We need to know one thing: are you over 18?',
    button: 'Prove that you are over 18',
    done: 'Proof received and checked',
  },
  revoked: {
    name: 'A revoked card',
    site: 'Street Market',
    icon: 'stall',
    title: 'A stall at the street market',
    text: 'Get a permit, and show at once that you have one. Then we revoke it, and you try again: a revoked card stays on the phone, but it can no longer prove that it counts.',
    button: 'Get a permit and show it',
    done: 'Permit signed and handed over',
    again: 'Proof received and checked',
  },
  twice: {
    name: 'Two logins',
    site: 'Film Club',
    icon: 'film',
    title: 'Log in, and once more',
    text: 'We show films for grown-ups, so we need to know that you are over 18. Log in twice, and you see side by side what we got: could we tell that it was you both times?',
    button: 'Log in for the first time',
    done: 'Proof received and checked',
  },
  pin: {
    name: 'With a PIN',
    site: 'Savings Circle',
    icon: 'lock',
    title: 'Log in, behind a PIN',
    text: 'Whoever finds your phone must not get in here. Our members log in with a card that works only after the PIN: a keyshare server holds a part of its key, and takes three wrong PINs, no more.',
    button: 'Log in with your PIN',
    done: 'Proof received and checked',
  },
  sites: {
    name: 'Two sites',
    site: 'Login Desk',
    icon: 'globe',
    title: 'Sign in at two sites',
    text: 'Most web sites know nothing of wallets. They speak OpenID Connect, so a provider asks your wallet for them. Sign in at two such sites: could they tell together that you are the same person?',
    button: 'Open both sites',
    done: '',
  },
}

/** @type {Step[]} */
export const ORDER = Object.keys(STEPS)

/** @param {Step} step
 *  @returns {number} from 1 on */
export function numberOf(step) {
  return ORDER.indexOf(step) + 1
}
