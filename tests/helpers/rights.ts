import type { Host } from '#backend/host.ts'
import type { Rights } from '#backend/plans/rights.ts'
import { demoUserId } from '#backend/demo-user.ts'
import { ok } from '#shared/base/result.ts'

/** Rights that hold for everybody, for tests of what comes after them. */
export const allRights: Rights = { require: () => Promise.resolve(ok(null)), holds: () => Promise.resolve(true), copyAccounts: () => Promise.resolve(50), inUse: () => undefined }

/** Every real profile passes all gates, for tests that are not about them; the demo profile's gates stay the program's own. */
export const everyGateOpen: NonNullable<Host['roleOf']> = (userId) => (userId === demoUserId ? null : { admin: true, subscriber: false })

/** No real profile has a right beside a plan, likewise. */
export const everyGateClosed: NonNullable<Host['roleOf']> = (userId) => (userId === demoUserId ? null : { admin: false, subscriber: false })
