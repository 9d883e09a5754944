import type { LineMoment } from '../helpers/postgres-line.ts'

/** Moments of the mirror on the desktop, beside those of the journal's writer. */
export type MirrorMoment = 'batch-read' | 'push-answered' | 'batch-struck-off' | 'page-received' | 'page-taken' | 'restore-ending'

/** The order to the process that is to be killed. */
export type MirrorOrder = {
  /** Holds the journal of `userId` and its pictures; a new profile is made where there is none. */
  readonly folder: string
  readonly userId: string
  readonly email: string
  readonly cloudUrl: string
  /** `push-answered:2` */
  readonly killAt?: string
  /** A mistake of `mirror-planted.ts`. */
  readonly planted?: string
}

// The desktop dies at its own moments, and where a call of it has just arrived at the cloud.
const atDesktop = {
  sending: ['batch-read', 'push-sent', 'push-answered', 'batch-struck-off'],
  restoring: ['page-asked', 'page-received', 'group-begun', 'fills-written', 'trades-written', 'outbox-written', 'group-committed', 'page-taken', 'restore-ending'],
} as const
const atCloud = { sending: ['records-sent', 'records-written', 'before-commit', 'committed'], restoring: ['page-queried'] } as const satisfies Record<string, LineMoment[]>

/** Every moment at which one side is killed, while a journal is sent and while it is restored. */
export const moments = { sending: [...atDesktop.sending, ...atCloud.sending], restoring: [...atDesktop.restoring, ...atCloud.restoring] } as const
export type Moment = (typeof moments)['sending' | 'restoring'][number]
export type Phase = keyof typeof moments

/** Whether the cloud is the one that dies at this moment. */
export const strikesCloud = (moment: string): moment is LineMoment => [...atCloud.sending, ...atCloud.restoring].some((one) => one === moment)
