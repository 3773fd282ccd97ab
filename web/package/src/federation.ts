export { plainArithmetic, type MaskArithmetic, type MaskSum } from './federation/arithmetic.js';
export { Collector, type CollectorOptions, type Progress } from './federation/collector.js';
export {
  KEYS_FORMAT,
  keysToLink,
  keysToText,
  keyWords,
  parseKeys,
  parseSecretKeys,
  secretKeysToText,
  suiteOfKeys,
} from './federation/key-link.js';
export {
  bestSuite,
  isSupported,
  newRoleKeys,
  newSigningKeys,
  pidOf,
  type KeyPair,
  type PublicRoleKeys,
  type RoleKeys,
  type Suite,
} from './federation/keys.js';
export { maskData, type MaskableData } from './federation/mask-data.js';
export { inspectMessage, MAX_MESSAGE_BYTES, type Refusal } from './federation/message.js';
export {
  Participant,
  type Mask,
  type Masked,
  type MaskSeed,
  type ParticipantOptions,
  type Roster,
} from './federation/participant.js';
export {
  Role,
  type Outcome,
  type Outgoing,
  type Phase,
  type Recipient,
  type Step,
} from './federation/role.js';
export {
  createCollector,
  createHelper,
  createParticipant,
  restoreCollector,
  restoreHelper,
  restoreParticipant,
} from './federation/roles.js';
export { sessionFromLink, sessionToLink } from './federation/session-link.js';
export {
  createSession,
  parseSession,
  publicKeys,
  requireSessionOf,
  Session,
  SESSION_FORMAT,
  type SessionJSON,
  type SessionMode,
  type SessionOptions,
} from './federation/session.js';
export { coreArithmetic, sumOf } from './federation/session-sum.js';
export { promiseOf } from './promise.js';
export { SplitHelper } from './federation/split-helper.js';
export { collusionTerms, type MaskedFederation } from './federation/terms.js';
export type { Received, Transport, TransportOptions } from './federation/transport.js';
export {
  broadcastTransport,
  type BroadcastTransportOptions,
} from './federation/transport-broadcast.js';
export {
  fileTransport,
  messageFromLink,
  messageToLink,
  type FileTransport,
  type FileTransportOptions,
} from './federation/transport-file.js';
export {
  relayTransport,
  type RelayTransport,
  type RelayTransportOptions,
} from './federation/transport-relay.js';
