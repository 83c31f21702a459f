/** All attacks, by name. A test compares the list with the files of `library/`. @module */
import type { Attack } from './attack.ts'
import { attack as blockedPin } from './library/blocked-pin.ts'
import { attack as callInside } from './library/call-inside.ts'
import { attack as chainOfTwoHolders } from './library/chain-of-two-holders.ts'
import { attack as chosenHash } from './library/chosen-hash.ts'
import { attack as codeInjected } from './library/code-injected.ts'
import { attack as codeReplayed } from './library/code-replayed.ts'
import { attack as commitmentPutBack } from './library/commitment-put-back.ts'
import { attack as endlessBody } from './library/endless-body.ts'
import { attack as expiredCredential } from './library/expired-credential.ts'
import { attack as expiryByChoice } from './library/expiry-by-choice.ts'
import { attack as frontendGuess } from './library/frontend-guess.ts'
import { attack as hashAsValue } from './library/hash-as-value.ts'
import { attack as issuanceRecordForged } from './library/issuance-record-forged.ts'
import { attack as issuedToAnother } from './library/issued-to-another.ts'
import { attack as jwtOfAnother } from './library/jwt-of-another.ts'
import { attack as jwtOtherKind } from './library/jwt-other-kind.ts'
import { attack as jwtOutOfTime } from './library/jwt-out-of-time.ts'
import { attack as jwtPublicKeyAsSecret } from './library/jwt-public-key-as-secret.ts'
import { attack as jwtUnsigned } from './library/jwt-unsigned.ts'
import { attack as keyshareJwtForged } from './library/keyshare-jwt-forged.ts'
import { attack as keyshareJwtOutOfTime } from './library/keyshare-jwt-out-of-time.ts'
import { attack as keyshareRemoved } from './library/keyshare-removed.ts'
import { attack as keyshareRequestor } from './library/keyshare-requestor.ts'
import { attack as loginCsrf } from './library/login-csrf.ts'
import { attack as loginForged } from './library/login-forged.ts'
import { attack as loginReplayed } from './library/login-replayed.ts'
import { attack as loginWithoutDevice } from './library/login-without-device.ts'
import { attack as longChallenge } from './library/long-challenge.ts'
import { attack as looseChallenge } from './library/loose-challenge.ts'
import { attack as looseProof } from './library/loose-proof.ts'
import { attack as mailFlood } from './library/mail-flood.ts'
import { attack as nextWithoutPermission } from './library/next-without-permission.ts'
import { attack as noPermission } from './library/no-permission.ts'
import { attack as otherAttribute } from './library/other-attribute.ts'
import { attack as otherHost } from './library/other-host.ts'
import { attack as otherMessage } from './library/other-message.ts'
import { attack as otherValue } from './library/other-value.ts'
import { attack as ownTimestamp } from './library/own-timestamp.ts'
import { attack as pairingSkipped } from './library/pairing-skipped.ts'
import { attack as pairingTakenOver } from './library/pairing-taken-over.ts'
import { attack as pinRace } from './library/pin-race.ts'
import { attack as providerMixedUp } from './library/provider-mixed-up.ts'
import { attack as readyNames } from './library/ready-names.ts'
import { attack as recordMoved } from './library/record-moved.ts'
import { attack as redirectElsewhere } from './library/redirect-elsewhere.ts'
import { attack as registrationFlood } from './library/registration-flood.ts'
import { attack as replayedProof } from './library/replayed-proof.ts'
import { attack as replayedSignature } from './library/replayed-signature.ts'
import { attack as revokeWithoutPermission } from './library/revoke-without-permission.ts'
import { attack as revokedOldWitness } from './library/revoked-old-witness.ts'
import { attack as revokedOtherAttribute } from './library/revoked-other-attribute.ts'
import { attack as revokedOwnAccumulator } from './library/revoked-own-accumulator.ts'
import { attack as revokedWithoutProof } from './library/revoked-without-proof.ts'
import { attack as sdJwtsBeyond } from './library/sd-jwts-beyond.ts'
import { attack as secondApp } from './library/second-app.ts'
import { attack as secondIssuance } from './library/second-issuance.ts'
import { attack as secondSingleton } from './library/second-singleton.ts'
import { attack as secretKeyDisclosed } from './library/secret-key-disclosed.ts'
import { attack as selfSigned } from './library/self-signed.ts'
import { attack as shiftedAttribute } from './library/shifted-attribute.ts'
import { attack as signInFramed } from './library/sign-in-framed.ts'
import { attack as signInLeaked } from './library/sign-in-leaked.ts'
import { attack as signInRelayed } from './library/sign-in-relayed.ts'
import { attack as signInTakenOver } from './library/sign-in-taken-over.ts'
import { attack as signatureWithoutKind } from './library/signature-without-kind.ts'
import { attack as silentListeners } from './library/silent-listeners.ts'
import { attack as slowBehindProxy } from './library/slow-behind-proxy.ts'
import { attack as slowClients } from './library/slow-clients.ts'
import { attack as smuggledCall } from './library/smuggled-call.ts'
import { attack as staticSession } from './library/static-session.ts'
import { attack as stolenStore } from './library/stolen-store.ts'
import { attack as streamFlood } from './library/stream-flood.ts'
import { attack as tokenForged } from './library/token-forged.ts'
import { attack as tokenOfAnother } from './library/token-of-another.ts'
import { attack as tokenOfAnotherRole } from './library/token-of-another-role.ts'
import { attack as twoAnswers } from './library/two-answers.ts'
import { attack as twoHolders } from './library/two-holders.ts'
import { attack as twoInstances } from './library/two-instances.ts'
import { attack as uncheckedPart } from './library/unchecked-part.ts'
import { attack as unknownKeys } from './library/unknown-keys.ts'
import { attack as valueByChoice } from './library/value-by-choice.ts'
import { attack as zeroPower } from './library/zero-power.ts'

export const ATTACKS: readonly Attack[] = [
  blockedPin,
  callInside,
  chainOfTwoHolders,
  chosenHash,
  codeInjected,
  codeReplayed,
  commitmentPutBack,
  endlessBody,
  expiredCredential,
  expiryByChoice,
  frontendGuess,
  hashAsValue,
  issuanceRecordForged,
  issuedToAnother,
  jwtOfAnother,
  jwtOtherKind,
  jwtOutOfTime,
  jwtPublicKeyAsSecret,
  jwtUnsigned,
  keyshareJwtForged,
  keyshareJwtOutOfTime,
  keyshareRemoved,
  keyshareRequestor,
  loginCsrf,
  loginForged,
  loginReplayed,
  loginWithoutDevice,
  longChallenge,
  looseChallenge,
  looseProof,
  mailFlood,
  nextWithoutPermission,
  noPermission,
  otherAttribute,
  otherHost,
  otherMessage,
  otherValue,
  ownTimestamp,
  pairingSkipped,
  pairingTakenOver,
  pinRace,
  providerMixedUp,
  readyNames,
  recordMoved,
  redirectElsewhere,
  registrationFlood,
  replayedProof,
  replayedSignature,
  revokeWithoutPermission,
  revokedOldWitness,
  revokedOtherAttribute,
  revokedOwnAccumulator,
  revokedWithoutProof,
  sdJwtsBeyond,
  secondApp,
  secondIssuance,
  secondSingleton,
  secretKeyDisclosed,
  selfSigned,
  shiftedAttribute,
  signInFramed,
  signInLeaked,
  signInRelayed,
  signInTakenOver,
  signatureWithoutKind,
  silentListeners,
  slowBehindProxy,
  slowClients,
  smuggledCall,
  staticSession,
  stolenStore,
  streamFlood,
  tokenForged,
  tokenOfAnotherRole,
  tokenOfAnother,
  twoAnswers,
  twoHolders,
  twoInstances,
  uncheckedPart,
  unknownKeys,
  valueByChoice,
  zeroPower,
]
