import type { localRoutes } from '#shared/api/contract.ts'
import type { Accounts } from '../../services/accounts.ts'
import type { Connections } from '../../services/connections.ts'
import type { Events } from '../../services/events.ts'
import type { IdentityPort } from '../../services/identity.ts'
import type { Mirrors } from '../../services/mirrors.ts'
import type { JournalReading, Records } from '../../services/records.ts'
import type { Sessions } from '../../services/sessions.ts'
import type { SyncRuns } from '../../services/sync-runs.ts'
import type { TradePictures } from '../../services/trade-pictures.ts'
import type { Browser, Caller } from '../caller.ts'
import type { Handlers } from '../mount.ts'
import { brokerageHandlers } from './brokerage.ts'
import { mirrorHandlers } from './mirror.ts'
import { readHandlers } from './reads.ts'
import { recordHandlers } from './records.ts'
import { sessionHandlers } from './session.ts'
import type { Installation } from './session.ts'
import { syncHandlers } from './sync.ts'

/** What answers the calls; each part is made where the backend is joined. */
export type Services = {
  readonly identity: IdentityPort
  readonly sessions: Sessions
  readonly events: Events
  readonly records: Records
  readonly read: JournalReading
  readonly accounts: Accounts
  readonly connections: Connections
  readonly runs: SyncRuns
  readonly mirrors: Mirrors
  readonly pictures: TradePictures
  readonly installation: Installation
}

/** One function for every call that the program on this computer answers. */
export const localHandlers = (services: Services): Handlers<typeof localRoutes, Browser, Caller> => ({
  ...sessionHandlers(services),
  ...recordHandlers(services),
  ...readHandlers(services.read),
  ...brokerageHandlers(services),
  ...syncHandlers(services.runs),
  ...mirrorHandlers(services.mirrors),
})
