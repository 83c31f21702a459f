/** The PIN of the phone: set up, unlock, change. The keyshare server checks it.
 *
 *  @typedef {{ isDone: boolean, triesLeft: number | null, blockedSec: number | null, isGone: boolean, reason: string }} Attempt
 *  @typedef {{ show: (screen: HTMLElement) => void, close: () => void, changed: () => Promise<void> }} Phone
 *  @module */
import { blocked } from './blocked.js'
import { button, element, heading, icon } from './dom.js'
import { busy, failed } from './phone-screens.js'
import { pinPad, wrongPin } from './pin-pad.js'
import { call } from './requests.js'

const PATH = '/demo/phone/account'
const MAIL_PAUSE_MS = 1000

/** @param {Phone} phone */
export async function openAccount(phone) {
  const account = await call(PATH)
  if (account.userName === null) return setUp(phone)
  phone.show(overview(account, phone))
}

/** @param {{ userName: string, page: string, mails: { subject: string, text: string, link: string | null }[] }} account */
function overview({ userName, page, mails }, phone) {
  return element(
    'div',
    { class: 'screen account' },
    icon('lock'),
    heading('PIN and account'),
    element(
      'p',
      {},
      'The keyshare server knows this phone as ',
      element('strong', {}, userName),
      '. It checks your PIN, and has a part in every proof of a card that the PIN protects. It never learns what you share, or with whom.',
    ),
    button('Change the PIN', () => changePin(phone)),
    button(
      mails.length === 1 ? 'Read 1 mail' : `Read ${mails.length} mails`,
      () => readMails(phone),
      'quiet',
    ),
    element(
      'a',
      { class: 'button quiet', href: page, target: '_blank', rel: 'noopener' },
      'See or delete the account',
    ),
    button('Close', phone.close, 'quiet'),
  )
}

/** Shows the mails of the keyshare server. In this demo no mail leaves the computer. */
async function readMails(phone) {
  const { mails } = await call(PATH)
  const screen = element(
    'div',
    { class: 'screen mails' },
    heading('Mails'),
    mails.length === 0
      ? element('p', {}, 'No mail yet. The keyshare server mails only those who gave it an address.')
      : element('ul', { class: 'letters' }, ...mails.map(letter)),
    button('Back', () => openAccount(phone), 'quiet'),
  )
  phone.show(screen)
  waitForMail(phone, screen, mails.length).catch(() => undefined) // the demo has ended; other calls report this
}

/** Polls for new mails while the list is shown, and shows them. */
async function waitForMail(phone, screen, count) {
  while (screen.isConnected) {
    await new Promise(resolve => setTimeout(resolve, MAIL_PAUSE_MS))
    const { mails } = await call(PATH)
    if (screen.isConnected && mails.length !== count) return readMails(phone)
  }
}

function letter({ subject, text, link }) {
  return element(
    'li',
    { class: 'letter' },
    element('strong', {}, subject),
    ...text.split(/\n+/).map(line => element('p', {}, line)),
    link &&
      element('a', { class: 'button main', href: link, target: '_blank', rel: 'noopener' }, 'Open the link'),
  )
}

/** @param {Phone} phone */
function setUp(phone) {
  choosePin(phone, 'Choose a PIN', pin => phone.show(address(pin, phone)))
}

/** Asks for a new PIN twice.
 *  @param {Phone} phone
 *  @param {(pin: string) => void} chosen */
function choosePin(phone, title, chosen, problem) {
  const hint = 'Five digits, which you do not use elsewhere.'
  const again = first =>
    pinPad(
      { title: ['Once more'], hint: 'The same five digits.' },
      pin => {
        if (pin === first) return chosen(pin)
        choosePin(phone, title, chosen, 'These were two different PINs. Please choose again.')
      },
      phone.close,
    )
  phone.show(
    pinPad({ title: [title], hint, problem, action: 'Next' }, pin => phone.show(again(pin)), phone.close),
  )
}

/** Asks for a mail address, which is optional. */
function address(pin, phone) {
  const input = element('input', {
    id: 'email',
    type: 'email',
    autocomplete: 'off',
    maxlength: 254,
    'data-focus': true,
  })
  const submit = event => {
    event.preventDefault()
    void attempt(phone, 'Setting up', '/set-up', { pin, email: input.value.trim() }, () =>
      done(
        'Your PIN is set',
        'A login card is on your phone. From now on the phone asks for the PIN when a card needs it.',
        phone,
      ),
    )
  }
  return element(
    'form',
    { class: 'screen account', onsubmit: submit },
    icon('lock'),
    element('h3', {}, 'Your e-mail address'),
    element('p', {}, 'Only if you like: it lets you see and delete your account when the phone is lost.'),
    element('label', { for: 'email' }, 'E-mail address'),
    input,
    element(
      'div',
      { class: 'actions' },
      button('Cancel', phone.close, 'quiet'),
      element('button', { class: 'main' }, 'Set up'),
    ),
  )
}

/** @param {Phone} phone */
function changePin(phone, problem) {
  const retry = triesLeft => changePin(phone, wrongPin(triesLeft))
  phone.show(
    pinPad(
      { title: ['Your PIN now'], problem, action: 'Next' },
      oldPin => {
        const choose = () =>
          choosePin(phone, 'Choose a new PIN', newPin =>
            attempt(
              phone,
              'Changing the PIN',
              '/change-pin',
              { oldPin, newPin },
              () => done('Your PIN is changed', 'The old one counts no more.', phone),
              retry,
            ),
          )
        void attempt(phone, 'Checking the PIN', '/unlock', { pin: oldPin }, choose, retry)
      },
      phone.close,
    ),
  )
}

/** @param {Phone} phone
 *  @param {() => HTMLElement | void} then
 *  @param {(triesLeft: number) => void} [retry] */
async function attempt(phone, words, path, body, then, retry) {
  phone.show(busy(words))
  try {
    /** @type {Attempt} */
    const { isDone, triesLeft, blockedSec, isGone, reason } = await call(PATH + path, {
      method: 'POST',
      body,
    })
    if (isDone) {
      await phone.changed()
      const screen = then()
      return screen && phone.show(screen)
    }
    if (isGone) return phone.show(gone(phone))
    if (blockedSec !== null) return phone.show(blocked(blockedSec, phone.close))
    if (triesLeft !== null) return retry(triesLeft)
    phone.show(failed({ title: 'That did not work', reason }, phone.close))
  } catch (error) {
    phone.show(failed({ title: 'That did not work', reason: error.message }, phone.close))
  }
}

/** Shown if the account was deleted on the page of the keyshare server. */
function gone(phone) {
  const forget = async () => {
    await call(`${PATH}/forget`, { method: 'POST' })
    await phone.changed()
    phone.close()
  }
  return element(
    'div',
    { class: 'screen middle' },
    element('span', { class: 'badge' }, icon('lock')),
    heading('This account is gone'),
    element(
      'p',
      {},
      'The keyshare server does not know it any more, so the cards that the PIN protects prove nothing now.',
    ),
    button('Forget it on this phone', forget),
    button('Close', phone.close, 'quiet'),
  )
}

function done(title, text, phone) {
  return element(
    'div',
    { class: 'screen middle' },
    element('span', { class: 'badge good' }, icon('check')),
    heading(title),
    element('p', {}, text),
    button('Close', phone.close),
  )
}
