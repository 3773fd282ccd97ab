export type { MaskSeed } from './intake/protocol.js';
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
} from './federation/transports/key-link.js';
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
export { guaranteeOf } from './accounting/guarantee.js';
export { SplitHelper } from './federation/split-helper.js';
export { collusionTerms, type MaskedFederation } from './study/federation-terms.js';
export type { Received, Transport, TransportOptions } from './federation/transports/transport.js';
export {
  fileTransport,
  messageFromLink,
  messageToLink,
  type FileTransport,
  type FileTransportOptions,
} from './federation/transports/transport-file.js';
export {
  relayTransport,
  type RelayTransport,
  type RelayTransportOptions,
} from './federation/transports/transport-relay.js';
