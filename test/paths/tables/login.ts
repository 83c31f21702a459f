/** The keyshare login chart of the specification (spec/interface#4.5, #4.6, #5.4; docs/spec/keyshare-server.md;
 *  spec/decisions#k11 to #k13, #lifetimes), one row for
 *  each change. It is typed by hand: a change that is not in the table does not happen. The words of a state: counted attempts, challenge, commitment, device key,
 *  PIN comparison, announced deletion. @module */
import type { Beginning, Row } from './rows.ts'

/** The time until an announced deletion, as the tests choose it. */
export const DELETION_SEC = 1_000

const CHALLENGE = 'challenge 360 s'
const COMMITMENT = 'commitment 20 s'
const DELETION = `deletion ${DELETION_SEC} s`

/** A right answer to a challenge is an attempt, and so is a PIN with the signature that the account requires. Attempts are counted before the PIN is compared.
 *  The third one starts a block. */
function attempts(section: string, trigger: string, from: string, to: string): Row[] {
  return [
    [section, trigger, `open0 ${from}`, `open1 ${to}`, '-', '-'],
    [section, trigger, `open1 ${from}`, `open2 ${to}`, '-', '-'],
    [section, trigger, `open2 ${from}`, `blocked ${to}`, '-', 'block 60 s'],
    [section, trigger, `blocked ${from}`, `blocked ${to}`, '-', 'block 120 s'],
  ]
}

/** Registration: with a device key, or without one, as older apps do. */
export const LOGIN_BEGINS: readonly Beginning[] = [
  ['spec/interface#4.5, #5.4', 'open0 none none bound idle kept', '-'],
  ['spec/interface#9, spec/keyshare-server#4', 'open0 none none unbound idle kept', '-'],
]

// biome-ignore format: a table is read by its columns
export const LOGIN: readonly Row[] = [
  // verify_start: only with a device key; a new challenge replaces the old one; a block does not matter
  ['spec/interface#4.5, spec/keyshare-server#6.1',                                         'app.startedLogin',      '* * * bound * *',           '= pending = = = =',       'storeChallenge', CHALLENGE],
  ['spec/keyshare-server#6.2, spec/decisions#lifetimes',                                   'challenge ends',        '* pending * * * *',         '= none = = = =',          '-', '-'],
  // login: a wrong answer consumes the challenge but costs no attempt; a blocked account keeps its challenge
  ['spec/decisions#k11, spec/keyshare-server#6.2',                                         'app.answered wrong',    '* pending * * * *',         '= none = = = =',          '-', '-'],
  ...attempts('spec/interface#5.4, spec/decisions#k11, #k13',                              'app.answered right', 'pending * * * *',        'none = = comparing ='),
  // change of PIN, signed by the device: it draws from the same counter and keeps the challenge
  ...attempts('spec/interface#5.4, spec/decisions#k13, spec/keyshare-server#10',           'app.sentPin signed', '* * bound * *',      '= = = comparing ='),
  // legacy login, legacy change of PIN and registration of a device key: only for accounts without one
  ...attempts('spec/interface#9, spec/decisions#k13, spec/keyshare-server#4.3, #6.5, #10', 'app.sentPin unsigned', '* * unbound * *', '= = = comparing ='),
  // a refused attempt is only an entry of the log
  ['spec/keyshare-server#9, #12.1',                                                        'app.triedWhileBlocked in the block', 'blocked * * * * *', '= = = = = =',        'logRefused', '-'],
  // a right PIN resets the counter, even if the account was blocked meanwhile; a wrong PIN changes nothing, because its attempt was counted before
  ['spec/interface#5.4, spec/decisions#k13, spec/keyshare-server#12.1',                    'server.acceptedPin',    '* * * * comparing *',       'open0 = = = idle kept',   'markSeen logSuccess', '-'],
  ['spec/keyshare-server#6.3, #12.1',                                                      'server.refusedPin',     '* * * * comparing *',       '= = = = idle =',          'logFailed', '-'],
  ['spec/keyshare-server#6.3, #12.1',                                                      'server.refusedPin, none left', '* * * * comparing *','= = = = idle =',          'logFailed logBlocked', '-'],
  // a new PIN brings a new token id: everything begun with the old one is void
  ['spec/interface#4.5, spec/keyshare-server#10',                                          'server.changedPin',     '* * * * comparing *',       'open0 none none = idle =', 'storeRecord', '-'],
  // the token id and everything begun with it are kept; the key is never replaced
  ['spec/keyshare-server#4.3',                                                             'server.registeredKey',  '* * * unbound comparing *', 'open0 = = bound idle =',  'storeRecord', '-'],
  // getCommitments replaces a pending commitment, also while the account is blocked
  ['spec/interface#4.6, spec/keyshare-server#8.3, #8.6',                                   'app.requestedCommitments v1', '* * * * * *',         '= = pendingV1 = = =',     'storeCommitment', COMMITMENT],
  ['spec/keyshare-server#8.5, #8.6',                                                       'app.requestedCommitments v2', '* * * * * *',         '= = pendingV2 = = =',     'storeCommitment', COMMITMENT],
  // getResponse consumes a commitment of its own version, once
  ['spec/interface#4.6, spec/keyshare-server#8.4, #8.6',                                   'app.requestedResponse v1', '* * pendingV1 * * *',    '= = none = = kept',       'markSeen logSession', '-'],
  ['spec/keyshare-server#8.5, #8.6',                                                       'app.requestedResponse v2', '* * pendingV2 * * *',    '= = none = = kept',       'markSeen logSession', '-'],
  ['spec/keyshare-server#8.6, spec/decisions#lifetimes',                                   'commitment ends',       '* * pendingV1|pendingV2 * * *', '= = none = = =',      '-', '-'],
  // an account is warned once, and deleted when the warning is old enough; any use keeps the account
  ['spec/keyshare-server#14',                                                              'server.warned',         '* * * * * kept',            '= = = = = warned',        '-', DELETION],
  ['spec/keyshare-server#14',                                                              'server.deleted due',    '* * * * * warned',          'forgotten',               '-', '-'],
  ['spec/keyshare-server#12.1, #14',                                                       'owner.visited',         '* * * * * *',               '= = = = = kept',          'markSeen', '-'],
  ['spec/keyshare-server#15',                                                              'owner.disabled',        '* * * * * *',               'disabled',                '-', DELETION],
  ['spec/keyshare-server#15',                                                              'server.deleted due',    'disabled',                  'forgotten',               '-', '-'],
]

const ATTEMPTS = [
  'open0 idle',
  'open1 idle',
  'open1 comparing',
  'open2 idle',
  'open2 comparing',
  'blocked idle',
  'blocked comparing',
]
/** A challenge needs a device key. */
const CHALLENGES = ['none bound', 'pending bound', 'none unbound']
const COMMITMENTS = ['none', 'pendingV1', 'pendingV2']

/** Every possible state, from the same parts of the specification. */
export const LOGIN_STATES: readonly string[] = ATTEMPTS.flatMap(attempts =>
  CHALLENGES.flatMap(challenge =>
    COMMITMENTS.flatMap(commitment => {
      const [count, comparing] = attempts.split(' ')
      const [pending, key] = challenge.split(' ')
      return ['kept', 'warned'].map(word => [count, pending, commitment, key, comparing, word].join(' '))
    }),
  ),
).concat('disabled', 'forgotten')
