/** The chart of a keyshare login in words. @module */

import type { LoginEffect } from '../../machines/keyshare-login.ts'
import type { LoginEvent } from '../../machines/login-events.ts'
import type { ChartWords } from './words.ts'

export const LOGIN_WORDS = {
  subject:
    'A keyshare server has one actor for each account. Attempts at the PIN, the challenge of a login and the commitment of a proof are three regions, each of which is in a state of its own.',
  states: {
    active: 'The account can be used.',
    'active.attempts': 'The attempts at the PIN.',
    'active.attempts.open': 'An attempt may be made.',
    'active.attempts.blocked': 'Too many attempts failed. The next one waits for the end of the block.',
    'active.challenge': 'The challenge that a login answers.',
    'active.challenge.none': 'No challenge is pending.',
    'active.challenge.pending': 'A challenge waits for its answer.',
    'active.commitment': "The commitment to the server's part of a proof.",
    'active.commitment.none': 'No commitment is pending.',
    'active.commitment.pendingV1': 'A commitment of the first form of the protocol waits for its response.',
    'active.commitment.pendingV2': 'A commitment of the second form of the protocol waits for its response.',
    disabled: 'The owner has deleted the account. Its calls are refused until its row is deleted.',
    forgotten: 'The row of the account is deleted.',
  },
  events: {
    'app.startedLogin': 'The wallet app has asked for a challenge, with the signature of its device.',
    'app.answered': 'The wallet app has answered a challenge, with a PIN.',
    'app.sentPin':
      'The wallet app has sent a PIN in another call: a legacy login, a change of PIN, or the registration of a device key.',
    'app.triedWhileBlocked': 'The wallet app has made an attempt while the account is blocked.',
    'server.acceptedPin': 'The PIN of a login is right.',
    'server.refusedPin': 'The PIN of an attempt is wrong.',
    'server.changedPin': 'The old PIN is right, and the record holds the new one.',
    'server.registeredKey': 'The PIN is right, and the record holds the key of the device.',
    'app.requestedCommitments': "The wallet app has asked for the server's commitments.",
    'app.requestedResponse':
      "The wallet app has asked for the server's response, which takes the commitment.",
    'server.warned': 'The owner was told that the account will be deleted unless it is used.',
    'owner.visited': 'The owner has confirmed an address, or has logged in to the account page.',
    'owner.disabled': 'The owner has deleted the account.',
    'server.deleted': 'The time of the deletion has come.',
  } satisfies Record<LoginEvent['type'], string>,
  delays: {
    challenge: 'the end of the challenge, six minutes after its beginning',
    commitment: 'the end of the commitment, twenty seconds after its beginning',
  },
  guards: {
    isDeviceBound: 'the record holds the key of a device',
    isOpen: 'the account is not blocked at the time of the call',
    isBlocked: 'the end of the block is still to come',
    isAnswer: 'a challenge is pending, the answer names it, and the account is not blocked',
    isLastAnswer: 'as isAnswer, and the account is blocked if the PIN of this attempt is wrong',
    isSignedAsBound:
      'the call is signed by the device if the record holds its key, and only then, and the account is not blocked',
    isLastSignedAsBound: 'as isSignedAsBound, and the account is blocked if the PIN of this attempt is wrong',
    isCompared: 'the PIN of the attempt was compared with the current record',
    isComparedUnbound: 'as isCompared, and the record holds no key of a device',
    isLastCompared: 'as isCompared, and no attempt was left when this one was counted',
    isV1: 'the call is of the first form of the protocol',
    isV2: 'the call is of the second form of the protocol',
    isKept: 'no deletion is planned',
    isDeletionDue: 'the time of the deletion has come',
  },
  effects: {
    storeChallenge: 'the challenge is stored',
    storeCommitment: 'the commitment is stored',
    storeRecord: 'the record of the account is stored',
    markSeen: 'the account was used now',
    logSuccess: 'the activity log says that the PIN was right',
    logFailed: 'the activity log says how many tries are left',
    logBlocked: 'the activity log says for how long the account is blocked',
    logRefused: 'the activity log says that an attempt was refused',
    logSession: 'the activity log says that a proof was made',
  } satisfies Record<LoginEffect, string>,
  facts: {
    reserve: 'the count of attempts, and the block that begins with this one',
    reset: 'the count of attempts is 0, and the account is not blocked',
    endComparison: 'the attempt is no longer being compared',
    endComparisons: 'no attempt is being compared any more',
    bindDevice: 'the record holds the key of a device',
    startChallenge: 'the end of the challenge',
    endChallenge: 'no challenge is pending',
    startCommitment: 'the end of the commitment',
    endCommitment: 'no commitment is pending',
    keepAccount: 'no deletion is planned',
    noteDeletion: 'the time of the deletion',
  },
} as const satisfies ChartWords
